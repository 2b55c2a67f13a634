terraform {
  required_providers {
    notification = {
      source  = "notification/notification"
      version = "~> 0.1"
    }
  }
}

provider "notification" {
  ca_cert_pem     = file("ca.pem")         # of a private certificate authority
  client_cert_pem = file("client.pem")     # for mutual TLS
  client_key_pem  = file("client-key.pem") # not encrypted
}
