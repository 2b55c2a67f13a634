variable "channels" {
  type = list(object({ type = string, subject = string }))
}

variable "release" {}

resource "notification_notification" "input" {
  priority = "HIGH"
  channels = var.channels
  triggers = { release = var.release }
}
