#!/bin/sh
# Run it in a checkout of the tag that is live, after `terraform init` here and in the folder drift.
set -eu
TF_VAR_release=$(terraform output -raw release) # the one that is live
export TF_VAR_release TF_VAR_subject="checkout has drifted: $RUN_URL" TF_VAR_run=none

status=0
terraform plan -input=false -lock-timeout=30m -detailed-exitcode -out=drift.tfplan || status=$?
case $status in
0) exec terraform -chdir=drift destroy -input=false -auto-approve -refresh=false ;; # sends nothing
2) ;;
*) exit "$status" ;;
esac
TF_VAR_run=$(terraform show -no-color drift.tfplan | grep '^  # ' | sha256sum)
exec terraform -chdir=drift apply -input=false -auto-approve
