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
  description = "Version whose pipeline failed."
}

resource "notification_notification" "failed" {
  priority = "HIGH"
  channels = [{
    type      = "slack"
    recipient = ["C024BE91L"]
    subject   = "The pipeline for checkout ${var.release} failed"
  }]
}
