resource "notification_notification" "each" {
  for_each = local.keys
  priority = "NORMAL"
  channels = [{
    type      = "slack"
    recipient = ["C024BE91L"]
    subject   = "notification ${each.key}"
  }]
}
