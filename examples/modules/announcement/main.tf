# Announces a release of a service. Copy this folder, and change it as your team needs.

terraform {
  required_version = ">= 1.2" # for postcondition
  required_providers {
    notification = {
      source  = "notification/notification"
      version = "~> 0.1"
    }
  }
}

locals {
  priorities = {
    critical = "HIGH"
    normal   = "NORMAL"
    low      = "BATCH"
  }
}

resource "notification_notification" "this" {
  priority = local.priorities[var.severity]

  channels = [for type, recipients in var.recipients : {
    type        = type
    recipient   = recipients
    subject     = "${var.service} ${var.release} is live in ${var.environment}"
    template_id = var.template_id
    fields = merge(var.fields, {
      environment = var.environment
      service     = var.service
      version     = var.release
    })
  }]

  # A change to any of these sends a new announcement. Other changes take effect with the next one.
  # The service is not one of these, so that a renamed service is not announced again.
  triggers = {
    environment = var.environment
    release     = var.release
  }

  # Terraform silently drops a misspelt member of a channel, and the provider only warns.
  lifecycle {
    postcondition {
      condition = self.channels == null ? true : alltrue([ # null after an import, until it is applied
        for c in self.channels : c.recipient != null && c.subject != null
      ])
      error_message = "Each channel needs a recipient and a subject."
    }
  }
}
