# The id is the notification_id that the service returned.
terraform import -var release=1.4.2 notification_notification.deployed 9b2f6c1e-6f0b-4a55-9d3c-1f7a0e5c8d42
