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
    postcondition { # fails the plan
      condition     = length(self.studies) == 1 && can(coalesce(tostring(self.studies[0].phase)))
      error_message = "There must be exactly one study ATLAS, with a phase."
    }
  }
}

# The members of a study are those that your service returns.
output "phase" {
  value = data.notification_studies.atlas.studies[0].phase
}
