import {
  to = notification_notification.deployed
  id = "9b2f6c1e-6f0b-4a55-9d3c-1f7a0e5c8d42 ${jsonencode({ release = "v1.4.2" })}"
}
