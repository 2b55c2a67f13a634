terraform {
  required_providers {
    notification = {
      source  = "notification/notification"
      version = "~> 0.1"
    }
  }
}

provider "notification" {
  auth_url = "https://auth.example.com" # tokens come from https://auth.example.com/oauth2/token
  base_url = "https://api.example.com"
  system   = "trials" # notifications go to https://api.example.com/trials/notifications/v1
  scopes   = ["notifications.write", "notifications.read"]
}
