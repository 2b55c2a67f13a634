resource "notification_notification" "one" {
  priority = "NORMAL"
  channels = [{
    type      = "slack"
    recipient = local.keys
    subject   = "notification to all"
  }]
}
