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
  release     = "v1.4.2"
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

run "sends_nothing_for_another_recipient_or_name" {
  variables {
    service    = "basket"
    recipients = { slack = ["C024BE91L", "C0ABCDEF"] }
  }
  assert {
    condition     = !notification_notification.this.as_submitted
    error_message = "Only another release is news: the rest is recorded, and not sent."
  }
}

run "announces_the_next_release" {
  variables {
    release = "v1.4.3"
  }
  assert {
    condition     = output.confirmed && notification_notification.this.as_submitted
    error_message = "The next release must be announced."
  }
}

# This module asks the emulator what has arrived.
run "told_the_channel_once" {
  module {
    source = "./tests/ledger"
  }
  assert {
    condition = [
      for s in output.submissions : s.channels[1].recipient
      if s.priority == "NORMAL" && s.channels[1].subject == "checkout v1.4.3 is live in staging"
    ] == [["C024BE91L"]]
    error_message = "The next release must be announced to the channel, once."
  }
  assert {
    condition = !contains(
      flatten([for s in output.submissions : s.channels[*].recipient]), "C0ABCDEF"
    )
    error_message = "Another recipient is no reason to announce a release again."
  }
  assert {
    condition     = [for r in output.requests : r.status if r.target == "submission"] == [201, 201]
    error_message = "Each release must be announced once, and every request accepted."
  }
}
