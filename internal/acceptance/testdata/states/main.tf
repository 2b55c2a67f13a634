terraform {
  required_providers {
    notification = {
      source = "notification/notification"
    }
  }
}

resource "notification_notification" "everything" {
  priority = "HIGH"
  channels = [
    {
      type         = "slack"
      recipient    = ["C024BE91L"]
      subject      = "checkout 1.4.2 is live"
      content_type = "md"
      template_id  = "deployment"
      fields       = { service = "checkout", version = "1.4.2" }
    },
    { type = "email", fields = {} },
  ]
  triggers         = { release = "1.4.2" }
  resend_on_change = true
  timeouts         = { create = "2m" }
}

resource "notification_notification" "edited" {
  priority = "BATCH"
  channels = [{ type = "slack", subject = "after" }]
}

resource "notification_notification" "without_id" {
  priority = "NORMAL"
  channels = [{ type = "slack" }]
}

resource "notification_notification" "imported" {
  priority = "NORMAL"
  channels = [{ type = "slack" }]
  triggers = { release = "1" }
}
