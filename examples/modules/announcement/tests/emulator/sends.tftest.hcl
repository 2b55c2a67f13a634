# What the module sends and when. These runs apply, so start them under the emulator only. They are
# in a folder of their own, so that `terraform test` alone sends nothing:
#
#   terraform init -test-directory=tests/emulator
#   notification-emulator exec -expect 2 -- terraform test -test-directory=tests/emulator
#
# -expect counts what arrived: one notification for each of the two releases, and no others.

variables {
  environment = "staging"
  service     = "checkout"
  release     = "1.4.2"
  recipients  = { slack = ["C024BE91L"], email = ["oncall@example.com"] }
  template_id = "deployment"
}

run "announces_a_release" {
  assert {
    condition     = output.confirmed && output.notification_id != null
    error_message = "The service must have accepted the notification."
  }
}

run "announces_it_once" {
  assert {
    condition     = notification_notification.this.as_submitted
    error_message = "The same release must not change anything."
  }
}

run "sends_nothing_for_another_recipient" {
  variables {
    recipients = { slack = ["C024BE91L", "C0ABCDEF"] }
  }
  assert {
    condition     = !notification_notification.this.as_submitted
    error_message = "Only another release is news: the rest is recorded, and not sent."
  }
}

run "announces_the_next_release" {
  variables {
    release = "1.4.3"
  }
  assert {
    condition     = output.confirmed && notification_notification.this.as_submitted
    error_message = "The next release must be announced."
  }
}

# Runs with this module ask the emulator what has arrived.
run "told_the_channel" {
  module {
    source = "./tests/ledger"
  }
  variables {
    query = { priority = "NORMAL", type = "slack", subject = "checkout 1.4.3 is live in staging" }
  }
  assert {
    condition     = output.count == 1 && output.submissions[0].channels[1].recipient == ["C024BE91L"]
    error_message = "The next release must be announced to the channel, once."
  }
}

run "did_not_tell_the_other_channel" {
  module {
    source = "./tests/ledger"
  }
  variables {
    query = { recipient = "C0ABCDEF" }
  }
  assert {
    condition     = output.count == 0
    error_message = "Another recipient is no reason to announce a release again."
  }
}

run "got_no_rejection" {
  module {
    source = "./tests/ledger"
  }
  variables {
    query = { kind = "submission", priority = "NORMAL" }
  }
  assert {
    condition     = output.count == 2 && alltrue([for r in output.requests : r.status == 201])
    error_message = "Every request must be accepted."
  }
}

run "sent_nothing_else" {
  module {
    source = "./tests/ledger"
  }
  variables {
    query = {}
  }
  assert {
    condition     = output.count == 2
    error_message = "Each release must be announced once."
  }
}
