// Package bench contains only tests and benchmarks. They measure whole applies: of this provider,
// of the fake ones in internal/fakeprovider, and of what works without a provider. The benchmarks
// need Unix, which tells the parent of a process how much memory that used.
package bench
