export NOTIFICATION_AUTH_URL=https://unused.invalid NOTIFICATION_BASE_URL=https://unused.invalid
export NOTIFICATION_CLIENT_ID=placeholder NOTIFICATION_CLIENT_SECRET=placeholder
export TF_VAR_release=1.4.2 # the one that was announced
terraform import notification_notification.deployed 9b2f6c1e-6f0b-4a55-9d3c-1f7a0e5c8d42
terraform plan # the next apply fills in the arguments, and sends nothing
