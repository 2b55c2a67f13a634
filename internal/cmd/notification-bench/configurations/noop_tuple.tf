terraform {
  required_providers {
    noop = {
      source = "example.com/bench/noop"
    }
  }
}

resource "noop_list" "one" {
  value = [for key in local.keys : key]
}
