// Command benchplot draws what notification-bench measured: the wall time of an
// apply against the number of resources, a row for each kind of for_each and a
// column for each latency of the service. It reads comparison.csv from its input
// and writes an SVG to its output.
package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// panel is one of the diagrams.
type panel struct {
	group   string
	latency string // in ms
}

// line is one contestant's: the seconds of every round, by number of resources.
type line struct {
	contestant string
	style      int // the same in every panel
	seconds    map[float64][]float64
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "benchplot:", err)
		os.Exit(1)
	}
}

func run(r io.Reader, w io.Writer) error {
	panels, groups, latencies, err := read(r)
	if err != nil {
		return err
	}

	canvas := vgsvg.New(vg.Length(len(latencies))*14*vg.Centimeter, vg.Length(len(groups))*11*vg.Centimeter)
	tiles := draw.Tiles{
		Cols: len(latencies), Rows: len(groups),
		PadX: vg.Centimeter, PadY: vg.Centimeter, PadLeft: vg.Millimeter, PadRight: vg.Centimeter, PadTop: vg.Millimeter, PadBottom: vg.Millimeter,
	}
	for row, group := range groups {
		for column, latency := range latencies {
			lines := panels[panel{group, latency}]
			if len(lines) == 0 {
				continue
			}
			p, err := diagram(lines)
			if err != nil {
				return err
			}
			p.Title.Text = fmt.Sprintf("%s, %s ms until the service answers", group, latency)
			p.Draw(tiles.At(draw.New(canvas), column, row))
		}
	}
	_, err = canvas.WriteTo(w)
	return err
}

// read returns the panels with their lines, and the groups and latencies there are,
// all in the order in which the input has them.
func read(r io.Reader) (panels map[panel][]line, groups, latencies []string, err error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, nil, nil, err
	}
	if len(rows) < 2 {
		return nil, nil, nil, errors.New("there is nothing to draw")
	}
	column := map[string]int{}
	for _, name := range []string{"group", "contestant", "n", "latency_ms", "wall_s"} {
		if column[name] = slices.Index(rows[0], name); column[name] < 0 {
			return nil, nil, nil, fmt.Errorf("the input has no column %s", name)
		}
	}
	panels = map[panel][]line{}
	var contestants []string
	for _, row := range rows[1:] {
		n, err := strconv.ParseFloat(row[column["n"]], 64)
		if err != nil {
			return nil, nil, nil, err
		}
		seconds, err := strconv.ParseFloat(row[column["wall_s"]], 64)
		if err != nil {
			return nil, nil, nil, err
		}
		at := panel{row[column["group"]], row[column["latency_ms"]]}
		if !slices.Contains(groups, at.group) {
			groups = append(groups, at.group)
		}
		if !slices.Contains(latencies, at.latency) {
			latencies = append(latencies, at.latency)
		}
		contestant := row[column["contestant"]]
		if !slices.Contains(contestants, contestant) {
			contestants = append(contestants, contestant)
		}
		i := slices.IndexFunc(panels[at], func(l line) bool { return l.contestant == contestant })
		if i < 0 {
			i = len(panels[at])
			panels[at] = append(panels[at], line{contestant, slices.Index(contestants, contestant), map[float64][]float64{}})
		}
		panels[at][i].seconds[n] = append(panels[at][i].seconds[n], seconds)
	}
	return panels, groups, latencies, nil
}

// diagram draws the medians.
func diagram(lines []line) (*plot.Plot, error) {
	p := plot.New()
	p.X.Label.Text = "resources"
	p.Y.Label.Text = "wall time of apply in s"
	p.X.Min, p.Y.Min = 0, 0
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	p.Legend.Padding = vg.Millimeter
	for _, l := range lines {
		var points plotter.XYs
		for _, n := range slices.Sorted(maps.Keys(l.seconds)) {
			sorted := slices.Sorted(slices.Values(l.seconds[n]))
			points = append(points, plotter.XY{X: n, Y: sorted[(len(sorted)-1)/2]})
		}
		stroke, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, err
		}
		stroke.Color, dots.Color = plotutil.Color(l.style), plotutil.Color(l.style)
		stroke.Width = vg.Points(1.5)
		dots.Shape = plotutil.Shape(l.style)
		p.Add(stroke, dots)
		p.Legend.Add(l.contestant, stroke, dots)
	}
	return p, nil
}
