terraform {
  required_providers {
    notification = {
      source = "registry.terraform.io/notification/notification"
    }
  }
}

resource "notification_notification" "each" {
  count    = length(local.keys)
  priority = "NORMAL"
  channels = [{
    type      = "slack"
    recipient = ["C024BE91L"]
    subject   = "notification ${local.keys[count.index]}"
  }]
}
