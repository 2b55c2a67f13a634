terraform {
  required_version = ">= 1.9" # of OpenTofu
  required_providers {
    notification = {
      source  = "notification/notification"
      version = "~> 0.1"
    }
  }
}

# To remove an environment, set retired and apply: its notification leaves the state, and nothing is
# sent. Until then its secret must be set, but need not be valid. Then remove it here, and apply
# again: in one step, every plan would fail with "Provider instance not present".
variable "environments" {
  type = map(object({
    auth_url  = string
    base_url  = string
    client_id = string
    retired   = optional(bool, false)
  }))
}

variable "release" {
  type = string
}

variable "client_secrets" {
  type      = map(string)
  sensitive = true # or ephemeral, with OpenTofu 1.11; otherwise a saved plan contains it
}

provider "notification" {
  alias         = "each"
  for_each      = var.environments # retired ones too: their notifications need it to be removed
  auth_url      = each.value.auth_url
  base_url      = each.value.base_url
  client_id     = each.value.client_id
  client_secret = var.client_secrets[each.key]
}

resource "notification_notification" "deployed" {
  for_each = { for name, environment in var.environments : name => name if !environment.retired }
  provider = notification.each[each.key]
  priority = each.key == "production" ? "HIGH" : "BATCH"
  channels = [{
    type      = "slack"
    recipient = ["C024BE91L"]
    subject   = "checkout ${var.release} is live in ${each.key}"
  }]
  triggers = { release = var.release }
}
