variable "on" {
  default = true
}

variable "release" {}

resource "notification_notification" "whole" {
  priority = "HIGH"
  channels = local.channels
  triggers = { release = var.release }
}

resource "notification_notification" "element" {
  priority = "HIGH"
  channels = [local.channel]
  triggers = { release = var.release }
}

resource "notification_notification" "members" {
  priority = "HIGH"
  channels = [{ type = local.channel.type, subject = local.channel.subject }]
  triggers = { release = var.release }
}

resource "notification_notification" "for" {
  priority = "HIGH"
  channels = [for c in [local.channel] : c]
  triggers = { release = var.release }
}

resource "notification_notification" "conditional" {
  priority = "HIGH"
  channels = var.on ? [local.channel] : [{ type = "none", subject = "none" }]
  triggers = { release = var.release }
}

resource "notification_notification" "index" {
  priority = "HIGH"
  channels = [local.channels[0]]
  triggers = { release = var.release }
}

resource "notification_notification" "merge" {
  priority = "HIGH"
  channels = [merge({ type = "none" }, local.channel)]
  triggers = { release = var.release }
}

resource "notification_notification" "decoded" {
  priority = "HIGH"
  channels = [jsondecode(jsonencode(local.channel))]
  triggers = { release = var.release }
}

resource "notification_notification" "second" {
  priority = "HIGH"
  channels = [{ type = "slack", subject = "hello" }, local.channel]
  triggers = { release = var.release }
}

module "input" {
  source   = "./input"
  channels = [local.channel]
  release  = var.release
}
