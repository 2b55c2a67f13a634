module terraform-provider-notification/tools/mirror

go 1.26.0
