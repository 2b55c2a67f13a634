terraform {
  required_version = ">= 1.10"
  required_providers {
    notification = {
      source  = "notification/notification"
      version = "~> 0.1"
    }
    vault = {
      source  = "hashicorp/vault"
      version = "~> 5.0"
    }
  }
}

ephemeral "vault_kv_secret_v2" "notification" {
  mount = "secret"
  name  = "notification"
}

provider "notification" {
  client_secret = ephemeral.vault_kv_secret_v2.notification.data.client_secret
}
