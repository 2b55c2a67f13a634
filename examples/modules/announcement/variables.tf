variable "environment" {
  description = "Where the release is live, for example `production`."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]*$", var.environment))
    error_message = "Write the environment in lower-case letters, digits and hyphens."
  }
}

variable "service" {
  description = "What was released, for example `checkout`."
  type        = string
  nullable    = false

  validation {
    condition     = trimspace(var.service) != ""
    error_message = "Name the service."
  }
}

variable "release" {
  description = "Its version. A new one is announced; the same one is not announced again."
  type        = string
  nullable    = false

  validation {
    condition     = trimspace(var.release) != ""
    error_message = "Name the version."
  }
}

variable "recipients" {
  description = "Who is told, by the type of the channel: `{ slack = [\"C024BE91L\"] }`."
  type        = map(list(string))
  nullable    = false

  validation {
    condition     = length(var.recipients) > 0
    error_message = "Name at least one type of channel, with its recipients."
  }

  validation {
    condition     = alltrue([for recipients in values(var.recipients) : length(recipients) > 0])
    error_message = "Each type of channel needs at least one recipient."
  }
}

variable "severity" {
  description = "How urgent the news is: `critical`, `normal` or `low`."
  type        = string
  default     = "normal"
  nullable    = false

  validation {
    condition     = contains(["critical", "normal", "low"], var.severity)
    error_message = "The severity is critical, normal or low."
  }
}

variable "template_id" {
  description = "Template of the service for the text, if it has one for this."
  type        = string
  default     = null
}

variable "fields" {
  description = "Further values for the template, beside `environment`, `service` and `version`."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "idempotent" {
  description = "Whether to submit under a key of service, environment and release, for a service that recognises keys: a run that is repeated after it was killed then announces nothing twice, and neither does a rollback to a release that was announced before. Needs `idempotency_key_header` in the provider."
  type        = bool
  default     = false
  nullable    = false
}
