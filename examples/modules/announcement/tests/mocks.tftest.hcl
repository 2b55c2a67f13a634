# How the module uses its variables. Nothing is sent, and no emulator is needed.

mock_provider "notification" {}

variables {
  environment = "staging"
  service     = "checkout"
  release     = "v1.4.2"
  recipients  = { slack = ["C024BE91L"], email = ["oncall@example.com"] }
}

run "names_what_is_live_where" {
  assert {
    condition = alltrue([
      for channel in notification_notification.this.channels :
      channel.subject == "checkout v1.4.2 is live in staging"
    ])
    error_message = "The subject must name the service, the version and the environment."
  }
  assert {
    condition     = notification_notification.this.priority == "NORMAL"
    error_message = "A release is announced with normal priority unless the severity says otherwise."
  }
  assert {
    condition     = toset([for channel in notification_notification.this.channels : channel.type]) == toset(["slack", "email"])
    error_message = "Each type of recipient gets a channel."
  }
  assert {
    condition     = notification_notification.this.channels[0].template_id == null
    error_message = "No template is named unless the caller does."
  }
}

run "maps_the_severity_and_adds_fields" {
  variables {
    severity    = "critical"
    template_id = "deployment"
    fields      = { team = "payments", service = "is overruled" }
  }
  assert {
    condition     = notification_notification.this.priority == "HIGH"
    error_message = "critical is HIGH."
  }
  assert {
    condition = notification_notification.this.channels[0].fields == tomap({
      environment = "staging", service = "checkout", team = "payments", version = "v1.4.2"
    })
    error_message = "The template gets the module's own fields, and those of the caller."
  }
}

run "rejects_wrong_values" {
  command = plan

  variables {
    environment = "Staging"
    service     = " "
    release     = ""
    recipients  = { slack = [] }
    severity    = "urgent"
  }
  expect_failures = [
    var.environment, var.service, var.release, var.recipients, var.severity,
  ]
}

run "rejects_what_is_blank_or_null" {
  command = plan

  variables {
    service     = "check out"
    release     = 1.20 # as of YAML without quotes, which is 1.2
    recipients  = { slack = [null] }
    template_id = " "
    fields      = { team = null }
  }
  expect_failures = [
    var.service, var.release, var.recipients, var.template_id, var.fields,
  ]
}

run "rejects_no_list" {
  command = plan

  variables {
    service    = true # as of YAML without quotes: on
    recipients = { slack = null }
  }
  expect_failures = [var.service, var.recipients]
}

run "rejects_no_recipients" {
  command = plan

  variables {
    recipients = {}
  }
  expect_failures = [var.recipients]
}
