# The versions of the tools: GNUmakefile includes this file, and tools/hc-install/terraform.sh reads
# it as a shell script. Renovate raises them. To do it yourself, see `go list -m -versions MODULE`.

# renovate: datasource=go depName=github.com/rhysd/actionlint extractVersion=^v(?<version>.+)$
ACTIONLINT_VERSION=1.7.12
# renovate: datasource=go depName=github.com/golangci/golangci-lint/v2 extractVersion=^v(?<version>.+)$
GOLANGCI_LINT_VERSION=2.15.0
# GoReleaser 2.18 and later need Go 1.27.
# renovate: datasource=go depName=github.com/goreleaser/goreleaser/v2 extractVersion=^v(?<version>.+)$
GORELEASER_VERSION=2.16.0
# renovate: datasource=go depName=golang.org/x/vuln extractVersion=^v(?<version>.+)$
GOVULNCHECK_VERSION=1.9.0
# renovate: datasource=go depName=github.com/hashicorp/hc-install extractVersion=^v(?<version>.+)$
HC_INSTALL_VERSION=0.10.0
# renovate: datasource=go depName=github.com/anchore/syft extractVersion=^v(?<version>.+)$
SYFT_VERSION=1.57.1
# renovate: datasource=go depName=github.com/hashicorp/terraform-plugin-docs extractVersion=^v(?<version>.+)$
TFPLUGINDOCS_VERSION=0.25.0
