#!/bin/sh
# Alerts about drift once, and again only if different resources drift. It needs jq, and in the
# configuration `output "release" { value = var.release }`. The folder drift has a copy of
# announce/main.tf with a backend, and a state for each environment: it remembers what was announced.
# Run it in a checkout of the tag that is live, after `terraform init` here and in that folder.
set -eu
TF_VAR_release=$(terraform output -json | # the one that is live
  jq -rs '.[0].release.value // error("the state has no output release")')
export TF_VAR_release TF_VAR_subject="checkout has drifted: $RUN_URL" TF_VAR_run=none

status=0
plan=$(terraform plan -input=false -lock-timeout=30m -no-color -detailed-exitcode) || status=$?
printf '%s\n' "$plan"
case $status in
0) exec terraform -chdir=drift destroy -input=false -auto-approve -refresh=false ;; # sends nothing
2) ;;
*) exit "$status" ;;
esac
TF_VAR_run=$(printf '%s\n' "$plan" | grep '^  # ' | sha256sum)
exec terraform -chdir=drift apply -input=false -auto-approve
