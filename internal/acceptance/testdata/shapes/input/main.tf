variable "channels" {
  type = list(object({ type = string, subject = string }))
}

resource "notification_notification" "input" {
  priority = "HIGH"
  channels = var.channels
}
