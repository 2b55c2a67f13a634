terraform {
  required_version = ">= 1.2" # for postcondition
  required_providers {
    notification = {
      source  = "notification/notification"
      version = "~> 0.1"
    }
  }
}

data "notification_studies" "atlas" {
  name = "ATLAS"

  lifecycle {
    postcondition {
      condition     = length(self.studies) == 1
      error_message = "There must be exactly one study ATLAS."
    }
  }
}

# The members of a study are those that your service returns.
output "phase" {
  value = try(data.notification_studies.atlas.studies[0].phase, "unknown")
}
