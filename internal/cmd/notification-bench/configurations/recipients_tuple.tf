terraform {
  required_providers {
    notification = {
      source = "registry.terraform.io/notification/notification"
    }
  }
}

resource "notification_notification" "one" {
  priority = "NORMAL"
  channels = [{
    type      = "slack"
    recipient = [for key in local.keys : key]
    subject   = "notification to all"
  }]
}
