# Give it no backend: with TF_HTTP_ADDRESS, for example, it would destroy what is deployed. In a job
# that has already run Terraform, first unset TF_DATA_DIR.
terraform {
  required_providers {
    notification = {
      source  = "notification/notification"
      version = "~> 0.1"
    }
  }
}

variable "subject" {
  type        = string
  description = "What to announce."
}

variable "run" {
  type        = string
  description = "Id of the run: each run is announced, even where the state is kept."
}

resource "notification_notification" "announcement" {
  priority = "HIGH"
  channels = [{
    type      = "slack"
    recipient = ["C024BE91L"]
    subject   = var.subject
  }]
  triggers = { run = var.run }
}
