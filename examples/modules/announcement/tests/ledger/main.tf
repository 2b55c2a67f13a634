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
      condition     = self.status_code == 200
      error_message = "The emulator does not accept this query: ${self.response_body}"
    }
  }
}

output "count" {
  description = "How many have arrived that match."
  value       = jsondecode(data.http.ledger.response_body).count
}

output "submissions" {
  description = "Those that were accepted, the oldest first."
  value       = jsondecode(data.http.ledger.response_body).submissions
}
