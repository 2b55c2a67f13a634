terraform {
  required_version = ">= 1.16"
  required_providers {
    notification = {
      source  = "notification/notification"
      version = "~> 0.1"
    }
  }
}

locals {
  review = "review-42"
}

# Placeholder for what you destroy: an environment for a review, a database, a module.
resource "terraform_data" "review" {
  input = local.review

  lifecycle {
    action_trigger {
      events  = [after_destroy] # also when the resource is replaced
      actions = [action.notification_send.destroyed]
    }
  }
}

action "notification_send" "destroyed" {
  config {
    priority = "NORMAL"
    channels = [{
      type      = "slack"
      recipient = ["C024BE91L"]
      subject   = "${local.review} is gone" # a reference to the resource would be a cycle
    }]
  }
}
