terraform {
  required_providers {
    fake = {
      source = "example.com/bench/fake"
    }
  }
}

resource "fake_thing" "each" {
  count = length(local.keys)
  value = "notification ${local.keys[count.index]}"
}
