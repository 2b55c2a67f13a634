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
    recipient = jsondecode(file("keys.json"))
    subject   = "notification to all"
  }]
}
