variable "on" {
  default = true
}

resource "notification_notification" "whole" {
  priority = "HIGH"
  channels = local.channels
}

resource "notification_notification" "element" {
  priority = "HIGH"
  channels = [local.channel]
}

resource "notification_notification" "members" {
  priority = "HIGH"
  channels = [{ type = local.channel.type, subject = local.channel.subject }]
}

resource "notification_notification" "for" {
  priority = "HIGH"
  channels = [for c in [local.channel] : c]
}

resource "notification_notification" "conditional" {
  priority = "HIGH"
  channels = var.on ? [local.channel] : [{ type = "none", subject = "none" }]
}

module "input" {
  source   = "./input"
  channels = [local.channel]
}
