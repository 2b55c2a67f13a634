variable "url" {}

data "fake_http" "studies" {
  url = var.url
}

output "number" {
  value = length(jsondecode(data.fake_http.studies.response_body))
}
