data "notification_studies" "found" {
  name = "ATLAS"
}

output "number" {
  value = length(data.notification_studies.found.studies)
}
