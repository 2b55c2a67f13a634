package settings

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// block holds the attributes of a provider block.
type block map[string]any

const unknown = tftypes.UnknownValue

// with returns a block with all required attributes, and with name set to value.
func with(name string, value any) block {
	return block{
		"auth_url": "https://auth.example.com", "base_url": "https://api.example.com",
		"client_id": "id", "client_secret": "secret",
	}.and(name, value)
}

func (b block) and(name string, value any) block {
	b = maps.Clone(b)
	b[name] = value
	return b
}

// list returns a value of scopes, fields one of headers.
func list(scopes ...any) (values []tftypes.Value) {
	for _, scope := range scopes {
		values = append(values, tftypes.NewValue(tftypes.String, scope))
	}
	return values
}

func fields(pairs ...any) map[string]tftypes.Value {
	values := map[string]tftypes.Value{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i].(string)] = tftypes.NewValue(tftypes.String, pairs[i+1])
	}
	return values
}

func (b block) config(t *testing.T) tfsdk.Config {
	t.Helper()
	schema := Schema()
	kind := schema.Type().TerraformType(t.Context()).(tftypes.Object)
	values := map[string]tftypes.Value{}
	for name, kind := range kind.AttributeTypes {
		values[name] = tftypes.NewValue(kind, b[name])
	}
	return tfsdk.Config{Raw: tftypes.NewValue(kind, values), Schema: schema}
}

// env returns the variables in pairs, names and values. The prefix NOTIFICATION_ may be left out.
func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i+1 < len(pairs); i += 2 {
			if strings.TrimPrefix(name, "NOTIFICATION_") == pairs[i] {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func (b block) read(t *testing.T, pairs ...string) (Config, []string, diag.Diagnostics) {
	t.Helper()
	return Read(t.Context(), b.config(t), env(pairs...))
}

func (b block) must(t *testing.T, pairs ...string) Config {
	t.Helper()
	config, unknown, diags := b.read(t, pairs...)
	if len(diags) > 0 || len(unknown) > 0 {
		t.Fatalf("%v, unknown %v", diags, unknown)
	}
	return config
}

// paths returns the attributes that have errors, sorted; "" is the provider block.
func paths(diags diag.Diagnostics) (all []string) {
	for _, d := range diags.Errors() {
		at := ""
		if located, ok := d.(diag.DiagnosticWithPath); ok {
			at = located.Path().String()
		}
		all = append(all, at)
	}
	slices.Sort(all)
	return all
}

// newPair returns a certificate and its key, in PEM.
func newPair(t *testing.T) (certificate, key string) {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	private, keyErr := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	der, certErr := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err = errors.Join(keyErr, certErr, err); err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}))
}
