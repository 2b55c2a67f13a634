terraform {
  required_version = ">= 1.2" # for postcondition
  required_providers {
    notification = {
      source  = "notification/notification"
      version = "~> 0.1"
    }
  }
}

data "notification_studies" "open" {
  name = "ATLAS"

  lifecycle {
    postcondition { # or a study that one lookup lacks would be announced again by the next
      condition = length(self.studies) > 0 && alltrue([
        for study in self.studies : can(coalesce(tostring(study.phase)))
      ])
      error_message = "There must be a study ATLAS, and each must have a phase."
    }
  }
}

resource "notification_notification" "opened" {
  # Use a member unique to each study as the key.
  for_each = {
    for study in data.notification_studies.open.studies : study.name => tostring(study.phase)
  }

  priority = "NORMAL"
  channels = [{
    type      = "slack"
    recipient = ["C024BE91L"]
    subject   = "${each.key} is in phase ${each.value}"
  }]
  triggers = { phase = each.value }
}
