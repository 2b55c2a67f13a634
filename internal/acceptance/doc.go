// Package acceptance holds tests only: of the provider as users run it, built,
// started by a real Terraform or OpenTofu, and watched from outside.
package acceptance
