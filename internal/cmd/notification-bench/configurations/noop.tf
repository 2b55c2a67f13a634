terraform {
  required_providers {
    noop = {
      source = "example.com/bench/noop"
    }
  }
}

resource "noop_thing" "each" {
  for_each = local.keys
  value    = "notification ${each.key}"
}
