# Asks the emulator what has arrived, for assertions. A copy of this folder does so in any module.

terraform {
  required_version = ">= 1.6"
  required_providers {
    http = {
      source  = "hashicorp/http"
      version = "~> 3.4"
    }
  }
}

variable "notification_emulator_url" {
  type        = string
  description = "Where the emulator is; `notification-emulator exec` sets it."
}

data "http" "ledger" {
  url = "${var.notification_emulator_url}/_emulator/ledger"

  lifecycle {
    postcondition {
      condition     = self.status_code == 200 && try(jsondecode(self.response_body).dropped == 0, false)
      error_message = "Status ${self.status_code}; dropped must be 0: ${substr(self.response_body, 0, 300)}"
    }
  }
}

output "submissions" {
  description = "The notifications that were accepted, the oldest first."
  value       = jsondecode(data.http.ledger.response_body).submissions
}

output "requests" {
  description = "All requests, the rejected ones and those for tokens too."
  value       = jsondecode(data.http.ledger.response_body).requests
}
