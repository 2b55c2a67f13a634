# The notification_id that the service returned, or the word unknown, and the triggers that it had.
terraform import -var release=v1.4.2 notification_notification.deployed \
  'unknown {"release":"v1.4.2"}'
