# A module that would deploy the service. Here it deploys nothing.

variable "release" {
  type        = string
  description = "Version to deploy."
}

output "release" {
  value       = var.release
  description = "Version that is deployed."
}
