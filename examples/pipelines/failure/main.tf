terraform {
  required_providers {
    notification = {
      source  = "registry.terraform.io/notification/notification"
      version = "~> 0.1"
    }
  }
}

variable "release" {
  type        = string
  description = "Version whose deployment failed."
}

resource "notification_notification" "failed" {
  priority = "HIGH"
  channels = [{
    type      = "slack"
    recipient = ["C024BE91L"]
    subject   = "The deployment of checkout ${var.release} failed"
  }]
}
