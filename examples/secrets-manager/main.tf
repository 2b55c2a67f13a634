terraform {
  required_version = ">= 1.11" # for fields_wo; 1.10 for the provider block alone
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

ephemeral "vault_kv_secret_v2" "invitation" {
  mount = "secret"
  name  = "invitation"
}

provider "notification" {
  client_secret = ephemeral.vault_kv_secret_v2.notification.data.client_secret
}

variable "invitation" {
  type        = number
  description = "Count up to send another invitation."
  default     = 1
}

resource "notification_notification" "invitation" {
  priority = "NORMAL"
  channels = [{
    type        = "email"
    recipient   = ["new.colleague@example.com"]
    template_id = "invitation"
    fields_wo   = { code = ephemeral.vault_kv_secret_v2.invitation.data.code }
  }]
  triggers = { invitation = var.invitation }
}
