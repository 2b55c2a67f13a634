resource "terraform_data" "one" {
  input = local.keys
}
