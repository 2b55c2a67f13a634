terraform {
  required_version = ">= 1.4" # for terraform_data
  required_providers {
    notification = {
      source  = "notification/notification"
      version = "~> 0.1"
    }
  }
}

variable "release" {
  type = string
}

# Placeholder for what you deploy: a Helm release, an ECS service, a module.
resource "terraform_data" "checkout" {
  input = var.release
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

  # Otherwise it is sent even if the deployment fails.
  depends_on = [terraform_data.checkout]
}
