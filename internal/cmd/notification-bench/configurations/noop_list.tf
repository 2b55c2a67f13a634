terraform {
  required_providers {
    noop = {
      source = "example.com/bench/noop"
    }
  }
}

resource "noop_list" "one" {
  value = local.keys
}
