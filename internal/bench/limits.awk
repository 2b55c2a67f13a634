# Compares the medians and confidence intervals that benchstat -format csv -row /work,/with prints
# with limits.csv: awk -v full=yes -f limits.awk MEDIANS limits.csv

function known(ci) { return ci ~ /%/ && ci + 0 < 100 }

BEGIN { FS = OFS = "," }

NR == FNR && $3 == "CI" { unit = $2; next }
NR == FNR { median[unit, $1] = $2; ci[unit, $1] = $3; next }

FNR == 1 || $5 == "full" && full == "" { next }

{
	checked++
	of = $1 SUBSEP $2
	over = $1 SUBSEP $3
	if (!$3) { # an absolute limit, in MB instead of bytes
		median[over] = sub(/-B$/, "-MB", $1) ? 1e6 : 1
		ci[over] = "0%"
	}
	missed++
	if (median[of] == "" || !median[over]) {
		print "MISSED  not measured: " $0
		next
	}
	got = median[of] / median[over]
	if (got <= $4) missed--
	interval = "no interval" # benchstat prints ∞ for fewer than 6 rounds
	if (known(ci[of]) && known(ci[over]))
		interval = sprintf("%.3g to %.3g", got * (100 - ci[of]) / (100 + ci[over]),
			got * (100 + ci[of]) / (100 - ci[over]))
	printf("%-6s  %.3g (%s), at most %s: %s of %s\n", got <= $4 ? "ok" : "MISSED",
		got, interval, $4, $1, $2 ($3 ? " over " $3 : ""))
}

END {
	if (!checked) print "MISSED  nothing to check"
	exit (missed || !checked)
}
