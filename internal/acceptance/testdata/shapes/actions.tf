action "notification_send" "whole" {
  config {
    priority = "HIGH"
    channels = local.channels
  }
}

action "notification_send" "element" {
  config {
    priority = "HIGH"
    channels = [local.channel]
  }
}

action "notification_send" "members" {
  config {
    priority = "HIGH"
    channels = [{ type = local.channel.type, subject = local.channel.subject }]
  }
}

action "notification_send" "for" {
  config {
    priority = "HIGH"
    channels = [for c in [local.channel] : c]
  }
}

action "notification_send" "conditional" {
  config {
    priority = "HIGH"
    channels = var.on ? [local.channel] : [{ type = "none", subject = "none" }]
  }
}

resource "terraform_data" "deployment" {
  lifecycle {
    action_trigger {
      events = [after_create]
      actions = [
        action.notification_send.whole,
        action.notification_send.element,
        action.notification_send.members,
        action.notification_send.for,
        action.notification_send.conditional,
      ]
    }
  }
}
