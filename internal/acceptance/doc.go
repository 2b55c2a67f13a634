// Package acceptance contains only tests. They run the built provider under a real Terraform or
// OpenTofu, as users do, and observe it from outside.
package acceptance
