package provider

// The titles of errors and warnings. docs/guides/troubleshooting.md explains each.
const (
	titleSubmit         = "Unable to submit notification"
	titleAmbiguous      = "Notification may have been submitted"
	titleUnconfirmed    = "Notification stored as unconfirmed"
	titleNoID           = "Response without a notification id"
	titleFailures       = "Notification may not have reached everyone"
	titleSameKey        = "A new notification needs another idempotency key"
	titleUndecided      = "resend_on_change must be known in the plan"
	titleNotSent        = "Changes to a notification are not sent by themselves"
	titleMoved          = "A moved notification is not sent by itself"
	titleMoveFrom       = "Unable to move to a notification"
	titleMove           = "Unable to move the notification"
	titleImport         = "Unable to import notification"
	titleChannelsDiffer = "Channels differ between plan and apply"
	titleNoRecipient    = "Channel without recipient"
	titleNoContent      = "Channel without content"
	titleBlank          = "Blank value"
	titleNull           = "Null value"
	titleText           = "Invalid text"
	titleScope          = "Invalid scope"
	titleKey            = "Invalid idempotency key"
	titleDuration       = "Invalid duration"
	titleTwice          = "Field given twice"
	titleLookUp         = "Unable to look up studies"
	titleReadStudies    = "Unable to read the studies in the response"
	titleToken          = "Unable to obtain an access token"
	titleMissing        = "Missing provider setting" // its name follows
	titleUnreachable    = "Unable to reach the notification service yet"
)
