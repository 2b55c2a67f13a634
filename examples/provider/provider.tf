terraform {
  required_providers {
    notification = {
      source  = "notification/notification"
      version = "~> 0.1"
    }
  }
}

# The credentials come from NOTIFICATION_CLIENT_ID and NOTIFICATION_CLIENT_SECRET.
provider "notification" {
  auth_url = "https://auth.example.com" # tokens come from https://auth.example.com/oauth2/token
  base_url = "https://api.example.com"
  system   = "trials" # notifications go to https://api.example.com/trials/notifications/v1
  scopes   = ["notifications.write", "notifications.read"]
}
