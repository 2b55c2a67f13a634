// Package bench contains only tests and benchmarks. They measure whole applies: of this provider,
// of those in internal/fakeprovider, and without a provider. The benchmarks need Unix,
// where a parent process can read the memory use of its children.
package bench
