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

variable "query" {
  type        = map(string)
  description = "Parameters of the ledger, which must all match: `{ subject = \"checkout is live\" }`."
}

data "http" "ledger" {
  url = "${var.notification_emulator_url}/_emulator/ledger?${join("&", [
    for name, value in var.query : "${urlencode(name)}=${urlencode(value)}"
  ])}"

  lifecycle {
    postcondition {
      condition     = self.status_code == 200 && try(jsondecode(self.response_body).dropped == 0, false)
      error_message = "Status ${self.status_code}; dropped must be 0: ${substr(self.response_body, 0, 300)}"
    }
  }
}

output "count" {
  description = "How many match."
  value       = jsondecode(data.http.ledger.response_body).count
}

output "submissions" {
  description = "Those that were accepted, the oldest first."
  value       = jsondecode(data.http.ledger.response_body).submissions
}

output "requests" {
  description = "With `kind`, `status` or `trace_id`, or `{}`: rejected ones, too."
  value       = try(jsondecode(data.http.ledger.response_body).requests, [])
}
