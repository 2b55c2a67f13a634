resource "terraform_data" "each" {
  for_each = local.keys
  input    = "notification ${each.key}"
}
