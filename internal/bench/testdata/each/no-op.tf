resource "fake_thing" "each" {
  for_each = local.keys
  value    = "notification ${each.key}"
}
