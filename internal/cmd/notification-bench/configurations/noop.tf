terraform {
  required_providers {
    fake = {
      source = "example.com/bench/fake"
    }
  }
}

resource "fake_thing" "each" {
  for_each = local.keys
  value    = "notification ${each.key}"
}
