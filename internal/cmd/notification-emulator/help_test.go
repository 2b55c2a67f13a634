package main

import (
	"flag"
	"regexp"
	"strings"
	"testing"
)

// The help names every flag, and none that is not there.
func TestHelpNamesTheFlags(t *testing.T) {
	t.Parallel()
	for _, subcommand := range []string{"exec", "serve"} {
		text := runWith(t, nil, subcommand, "-h").stdout
		named := map[string]bool{}
		for _, match := range regexp.MustCompile(`(?m)^  -([a-z-]+) `).FindAllStringSubmatch(text, -1) {
			named[match[1]] = true
		}
		new(options).flagSet(subcommand).VisitAll(func(f *flag.Flag) {
			if !named[f.Name] && !strings.Contains(text, "\n  -"+f.Name+"\n") {
				t.Errorf("%s -h does not explain -%s", subcommand, f.Name)
			}
			delete(named, f.Name)
			if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "0s" &&
				!strings.Contains(text, strings.TrimSuffix(f.DefValue, "0m0s")) {
				t.Errorf("%s -h does not say that -%s is %s", subcommand, f.Name, f.DefValue)
			}
		})
		for name := range named {
			t.Errorf("%s has no flag -%s", subcommand, name)
		}
		for i, line := range strings.Split(text, "\n") {
			if len(line) > 100 {
				t.Errorf("line %d of the help of %s has %d characters", i+1, subcommand, len(line))
			}
		}
	}
}
