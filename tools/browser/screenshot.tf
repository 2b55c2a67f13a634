terraform {
  required_providers {
    notification = {
      source = "notification/notification"
    }
  }
}

resource "notification_notification" "report" {
  priority = "BATCH"
  channels = [{
    type      = "email"
    recipient = ["platform@example.com"]
    subject   = "Weekly capacity report"
    fields    = { cluster = "eu-1", utilization = "61 %" }
  }]
}

# The answer to this one is lost.
resource "notification_notification" "payments" {
  delivery = "at_most_once"
  priority = "NORMAL"
  channels = [{
    type        = "slack"
    recipient   = ["C024BE91L", "C0G9QF9GZ"]
    subject     = "payments 3.0.1 is live"
    template_id = "deployment"
    fields      = { service = "payments", version = "3.0.1" }
  }]
  depends_on = [notification_notification.report]
}

data "notification_studies" "atlas" {
  name = "ATLAS"

  depends_on = [notification_notification.payments]
}

resource "notification_notification" "search" {
  priority = "NORMAL"
  channels = [{
    type      = "slack"
    recipient = ["C024BE91L"]
    subject   = "search 0.9.0 is live, for phase ${data.notification_studies.atlas.studies[0].phase}"
    fields    = { service = "search", version = "0.9.0" }
  }]
  depends_on = [notification_notification.payments]
}

# The emulator rejects this one first.
resource "notification_notification" "checkout" {
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
    {
      type      = "sms"
      recipient = ["+15550100"]
    },
  ]
  depends_on = [notification_notification.search]
}
