terraform {
  required_version = ">= 1.10"
  required_providers {
    notification = {
      source  = "notification/notification"
      version = "~> 0.1"
    }
  }
}

variable "export_url" {
  type        = string
  description = "An address of the same platform that the provider has no resource for."
}

ephemeral "notification_access_token" "reader" {
  scopes = ["notifications.read"]
}

resource "terraform_data" "export" {
  provisioner "local-exec" {
    command = "curl --fail --silent --show-error --header \"Authorization: Bearer $TOKEN\" --output export.json \"$URL\""
    environment = {
      TOKEN = ephemeral.notification_access_token.reader.access_token
      URL   = var.export_url
    }
  }
}
