# Run it with `make demo`, which starts a stand-in for the notification service
# and sets the NOTIFICATION_* variables to reach it.

terraform {
  required_providers {
    notification = {
      source  = "notification/notification"
      version = "~> 0.1"
    }
  }
}

provider "notification" {}

variable "release" {
  type        = string
  description = "Version of the checkout service that is being deployed."
}

# Placeholder for what you deploy, such as a Kubernetes deployment or an ECS service.
module "checkout" {
  source  = "./checkout"
  release = var.release
}

resource "notification_notification" "deployed" {
  priority = "HIGH"
  channels = [
    {
      type         = "slack"
      recipient    = ["C024BE91L"]
      subject      = "checkout ${var.release} is live"
      content_type = "md"
      template_id  = "deployment"
      fields       = { service = "checkout", version = var.release }
    },
    {
      type      = "email"
      recipient = ["oncall@example.com"]
      subject   = "checkout ${var.release} is live"
    },
  ]
  triggers = { release = var.release } # each new release is announced

  depends_on = [module.checkout] # otherwise it is sent even if that fails
}

data "notification_studies" "atlas" {
  name = "ATLAS"
}

output "notification_id" {
  value = notification_notification.deployed.notification_id
}

output "phases" {
  value = { for study in data.notification_studies.atlas.studies : study.name => study.phase }
}
