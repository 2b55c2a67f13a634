terraform {
  required_version = ">= 1.14.1, < 1.16" # others announce a failed deployment too
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

  lifecycle {
    action_trigger {
      events  = [after_create, after_update] # after the deployment, if it succeeded
      actions = [action.notification_send.deployed]
    }
  }
}

action "notification_send" "deployed" {
  config {
    priority = "HIGH"
    channels = [{
      type         = "slack"
      recipient    = ["C024BE91L"]
      subject      = "checkout ${var.release} is live"
      content_type = "md"
      template_id  = "deployment"
      fields       = { service = "checkout", version = var.release }
    }]
  }
}
