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
  description = "What was released, for example `checkout`. A new name is not announced."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[!-.0-~]+$", var.service))
    error_message = "Name the service without spaces or slashes."
  }

  validation {
    condition     = !contains(["true", "false"], var.service)
    error_message = "Name the service; in YAML, quote it: on without quotes is true."
  }
}

variable "release" {
  description = "Its version: three numbers, such as `v1.20.0`. A new one is announced; the same one is not announced again."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^v?[0-9]+([.][0-9]+){2}([-+][0-9A-Za-z.+-]+)?$", var.release))
    error_message = "Write the release with three numbers, such as v1.20.0; in YAML, quote it: 1.20 without quotes is the number 1.2."
  }
}

variable "recipients" {
  description = "Recipients, by the type of the channel: `{ slack = [\"C024BE91L\"] }`."
  type        = map(list(string))
  nullable    = false

  validation {
    condition     = length(var.recipients) > 0
    error_message = "Name at least one type of channel, with its recipients."
  }

  validation {
    condition = alltrue([
      for type, recipients in var.recipients :
      trimspace(type) != "" && try(length(recipients) > 0, false) &&
      try(alltrue([for recipient in recipients : trimspace(recipient) != ""]), false)
    ])
    error_message = "Each type of channel needs at least one recipient, and none may be blank or null."
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
  description = "Id of the service's message template, if you use one."
  type        = string
  default     = null

  validation {
    condition     = var.template_id == null ? true : trimspace(var.template_id) != ""
    error_message = "Leave the template out rather than blank."
  }
}

variable "fields" {
  description = "Further values for the template. `environment`, `service` and `version` are always those of the module."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for value in values(var.fields) : value != null])
    error_message = "No field may be null."
  }
}
