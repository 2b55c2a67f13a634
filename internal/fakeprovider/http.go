package fakeprovider

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// httpDataSource keeps what the data source of hashicorp/http keeps of a response: its status, and
// its body three times.
type httpDataSource struct{ name string }

type httpModel struct {
	URL                string `tfsdk:"url"`
	Body               string `tfsdk:"body"`
	ResponseBody       string `tfsdk:"response_body"`
	ResponseBodyBase64 string `tfsdk:"response_body_base64"`
	StatusCode         int    `tfsdk:"status_code"`
}

func (d httpDataSource) Metadata(
	_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse,
) {
	resp.TypeName = d.name
}

func (httpDataSource) Schema(
	_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse,
) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"url":                  schema.StringAttribute{Required: true},
		"body":                 schema.StringAttribute{Computed: true},
		"response_body":        schema.StringAttribute{Computed: true},
		"response_body_base64": schema.StringAttribute{Computed: true},
		"status_code":          schema.Int64Attribute{Computed: true},
	}}
}

func (httpDataSource) Read(
	ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse,
) {
	var url string
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("url"), &url)...)
	body, status, err := get(ctx, url, "")
	if err != nil {
		resp.Diagnostics.AddError("Unable to read the URL", err.Error())
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, httpModel{
		url, string(body), string(body), base64.StdEncoding.EncodeToString(body), status,
	})...)
}

// get sends the token, if any.
func get(ctx context.Context, url, token string) (body []byte, status int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, 0, err
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = resp.Body.Close() }() // it was read to its end
	body, err = io.ReadAll(resp.Body)
	return body, resp.StatusCode, err
}
