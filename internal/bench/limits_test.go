//go:build unix

package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	const medians = "goos: linux\n\n,bench.txt,\n,sec/op,CI\n" +
		"set no-op,2,10%\nset ours,3,10%\nfew no-op,2,∞\nbusy no-op,2,132%\ngeomean,2.4,\n" +
		"\n,bench.txt,\n,peak-B,CI\nset ours,4e+07,0%\nset no-op,0,0%\n"
	for _, test := range []struct{ medians, limit, full, want string }{
		{medians, "sec/op,set ours,set no-op,1.5,", "",
			"ok      1.5 (1.23 to 1.83), at most 1.5: sec/op of set ours over set no-op"},
		{medians, "sec/op,set ours,few no-op,2,", "",
			"ok      1.5 (no interval), at most 2: sec/op of set ours over few no-op"},
		{medians, "sec/op,set ours,busy no-op,2,", "",
			"ok      1.5 (no interval), at most 2: sec/op of set ours over busy no-op"},
		{medians, "peak-B,set ours,,60,full", "yes",
			"ok      40 (40 to 40), at most 60: peak-MB of set ours"},
		{medians, "sec/op,set no-op,,0,\nsec/op,set no-op,,2,", "",
			"MISSED  2 (1.8 to 2.2), at most 0: sec/op of set no-op\n" +
				"ok      2 (1.8 to 2.2), at most 2: sec/op of set no-op"},
		{medians, "sec/op,set ours,set no-op,1.49,", "",
			"MISSED  1.5 (1.23 to 1.83), at most 1.49: sec/op of set ours over set no-op"},
		{medians, "peak-B,map ours,,9,", "", "MISSED  not measured: peak-MB,map ours,,9,"},
		{medians, "peak-B,set ours,set no-op,9,", "",
			"MISSED  not measured: peak-B,set ours,set no-op,9,"},
		{medians, "peak-B,set ours,,60,full", "", "MISSED  nothing to check"},
		{"", "peak-B,set ours,,60,", "", "MISSED  nothing to check"},
	} {
		dir := t.TempDir()
		measured, limits := filepath.Join(dir, "medians"), filepath.Join(dir, "limits")
		for file, text := range map[string]string{
			measured: test.medians, limits: "unit,of,over,at most,only if\n" + test.limit + "\n",
		} {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("awk", "-v", "full="+test.full, "-f", "limits.awk", measured, limits)
		output, err := cmd.CombinedOutput()
		if string(output) != test.want+"\n" || (err == nil) != (test.want[:2] == "ok") {
			t.Errorf("%s: %v, %q, want %q", test.limit, err, output, test.want)
		}
	}
}
