# The tools that GNUmakefile uses. A file names its version, so that make asks no module proxy for a
# tool that is there.
include tools/versions.mk
ACTIONLINT := bin/actionlint-$(ACTIONLINT_VERSION)
DOCGEN     := bin/tfplugindocs-$(TFPLUGINDOCS_VERSION)
GORELEASER := bin/goreleaser-$(GORELEASER_VERSION)
GOVULN     := bin/govulncheck-$(GOVULNCHECK_VERSION)
LINTER     := bin/golangci-lint-$(GOLANGCI_LINT_VERSION)
SYFT       := bin/syft-$(SYFT_VERSION)

$(ACTIONLINT): PACKAGE := github.com/rhysd/actionlint/cmd/actionlint
$(DOCGEN): PACKAGE := github.com/hashicorp/terraform-plugin-docs/cmd/tfplugindocs
$(GORELEASER): PACKAGE := github.com/goreleaser/goreleaser/v2
$(GOVULN): PACKAGE := golang.org/x/vuln/cmd/govulncheck
$(LINTER): PACKAGE := github.com/golangci/golangci-lint/v2/cmd/golangci-lint
$(SYFT): PACKAGE := github.com/anchore/syft/cmd/syft
$(SYFT): FLAGS := -ldflags "-X main.version=$(SYFT_VERSION)"

# GoReleaser finds syft by its plain name. GOOS and GOFLAGS are not for tools.
bin/%:
	@echo "Building $*; the first time takes up to a few minutes."
	@tool=$*; GOOS= GOARCH= GOFLAGS= CGO_ENABLED=0 GOBIN="$(CURDIR)/bin" \
		go install $(FLAGS) "$(PACKAGE)@v$${tool##*-}" && ln -f "bin/$${tool%-*}" $@
