terraform {
  required_version = ">= 1.10"
  required_providers {
    notification = {
      source  = "notification/notification"
      version = "~> 0.1"
    }
    restapi = {
      source  = "Mastercard/restapi"
      version = "~> 3.0"
    }
  }
}

ephemeral "notification_access_token" "reader" {
  scopes = ["notifications.read"]
}

# A provider block can take the token, and so can a provisioner and a write-only argument. Other
# arguments of resources and data sources cannot, since they are stored.
provider "restapi" {
  uri          = "https://api.example.com"
  bearer_token = ephemeral.notification_access_token.reader.access_token
  test_path    = "/studies/v1?name=ATLAS" # checks the token whenever it is used
}
