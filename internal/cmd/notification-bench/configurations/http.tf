terraform {
  required_providers {
    noop = {
      source = "example.com/bench/noop"
    }
  }
}

variable "url" {
  type = string
}

data "noop_http" "studies" {
  url = var.url
}

output "number" {
  value = length(jsondecode(data.noop_http.studies.response_body))
}
