package main

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// httpDataSource keeps of an answer what the data source of hashicorp/http keeps: its body three
// times over.
type httpDataSource struct{}

type httpModel struct {
	URL                string `tfsdk:"url"`
	Body               string `tfsdk:"body"`
	ResponseBody       string `tfsdk:"response_body"`
	ResponseBodyBase64 string `tfsdk:"response_body_base64"`
}

func (httpDataSource) Metadata(
	_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse,
) {
	resp.TypeName = "fake_http"
}

func (httpDataSource) Schema(
	_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse,
) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"url":                  schema.StringAttribute{Required: true},
		"body":                 schema.StringAttribute{Computed: true},
		"response_body":        schema.StringAttribute{Computed: true},
		"response_body_base64": schema.StringAttribute{Computed: true},
	}}
}

func (httpDataSource) Read(
	ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse,
) {
	var url string
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("url"), &url)...)
	body, err := get(ctx, url)
	if err != nil {
		resp.Diagnostics.AddError("Unable to read the URL", err.Error())
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, httpModel{
		url, string(body), string(body), base64.StdEncoding.EncodeToString(body),
	})...)
}

func get(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }() // it was read to its end
	return io.ReadAll(resp.Body)
}
