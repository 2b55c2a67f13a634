locals {
  environment = basename(get_terragrunt_dir())

  settings = {
    staging = {
      NOTIFICATION_AUTH_URL      = "https://auth.staging.example.com"
      NOTIFICATION_BASE_URL      = "https://api.staging.example.com"
      NOTIFICATION_CLIENT_ID     = "checkout-staging"
      NOTIFICATION_CLIENT_SECRET = get_env("STAGING_CLIENT_SECRET")
    }
    production = {
      NOTIFICATION_AUTH_URL      = "https://auth.example.com"
      NOTIFICATION_BASE_URL      = "https://api.example.com"
      NOTIFICATION_CLIENT_ID     = "checkout-production"
      NOTIFICATION_CLIENT_SECRET = get_env("PRODUCTION_CLIENT_SECRET")
    }
  }
}

# Your backend. Without one, the state would be in Terragrunt's cache, and each clean checkout would
# announce again.
remote_state {
  backend = "local"
  config  = { path = "${get_parent_terragrunt_dir()}/states/${local.environment}.tfstate" }
  generate = {
    path      = "backend.tf"
    if_exists = "overwrite_terragrunt"
  }
}

terraform {
  source = "${get_parent_terragrunt_dir()}/modules//checkout"

  extra_arguments "notification" {
    commands = ["plan", "apply", "destroy", "import", "refresh"]
    env_vars = local.settings[local.environment]
  }
}

# Only what fails before anything is sent.
errors {
  retry "init" {
    retryable_errors   = ["(?s).*Failed to query available provider packages.*"]
    max_attempts       = 3
    sleep_interval_sec = 5
  }
}

inputs = { release = get_env("RELEASE") }
