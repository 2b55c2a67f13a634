package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// httpDataSource keeps of an answer what the data source of hashicorp/http keeps: its body three
// times over.
type httpDataSource struct{}

type httpModel struct {
	URL                types.String `tfsdk:"url"`
	Body               types.String `tfsdk:"body"`
	ResponseBody       types.String `tfsdk:"response_body"`
	ResponseBodyBase64 types.String `tfsdk:"response_body_base64"`
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
	var model httpModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	body, err := get(ctx, model.URL.ValueString())
	if err != nil {
		resp.Diagnostics.AddError("Unable to read the URL", err.Error())
		return
	}
	model.Body = types.StringValue(string(body))
	model.ResponseBody = model.Body
	model.ResponseBodyBase64 = types.StringValue(base64.StdEncoding.EncodeToString(body))
	resp.Diagnostics.Append(resp.State.Set(ctx, model)...)
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
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answered %s", url, resp.Status)
	}
	return io.ReadAll(resp.Body)
}
