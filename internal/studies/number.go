package studies

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Terraform's numbers have a mantissa of 512 bits.
const (
	numberPrecision = 512
	maxDigits       = 154
	maxExponent     = 4096
)

// exactNumber is the number that text, a JSON number, spells, with every digit.
func exactNumber(text string) (*big.Float, error) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if exponent != "" {
		if n, err := strconv.Atoi(exponent); err != nil || n > maxExponent || n < -maxExponent {
			if len(exponent) > 20 {
				exponent = exponent[:20] + "…"
			}
			return nil, inexact("a number with the exponent " + exponent)
		}
	}
	if len(mantissa) > maxExponent+maxDigits {
		return nil, inexact(fmt.Sprintf("a number that is written with %d characters", len(mantissa)))
	}
	digits := significantDigits(mantissa)
	if len(digits) > maxDigits {
		return nil, inexact(fmt.Sprintf("a number with %d significant digits", len(digits)))
	}
	number, _, err := big.ParseFloat(text, 10, numberPrecision, big.ToNearestEven)
	if err != nil {
		return nil, inexact("a number that cannot be read")
	}
	// 512 bits hold any 153 digits, and some numbers of 154.
	if len(digits) == maxDigits {
		kept, _, _ := strings.Cut(number.Text('e', -1), "e")
		if significantDigits(kept) != digits {
			return nil, inexact(
				fmt.Sprintf("a number whose %d significant digits do not fit", len(digits)),
			)
		}
	}
	return number, nil
}

// significantDigits are those of a decimal number without the zeros around them.
func significantDigits(mantissa string) string {
	return strings.Trim(strings.Replace(strings.TrimPrefix(mantissa, "-"), ".", "", 1), "0")
}

// inexact is an error, although Terraform then keeps nothing of the lookup, not even response_json,
// which has every digit: studies that are null with a warning could be taken for none found.
func inexact(what string) error {
	return fmt.Errorf(": %s, more than a Terraform number holds (%d digits, exponents to ±%d). "+
		"response_json cannot be read either, since Terraform keeps nothing of a lookup that "+
		"failed, and jsondecode would round the number. The service would have to return it as a "+
		"JSON string",
		what, maxDigits, maxExponent)
}
