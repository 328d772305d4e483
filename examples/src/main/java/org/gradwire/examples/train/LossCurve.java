package org.gradwire.examples.train;

import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A chart of the loss over the steps. */
final class LossCurve {
    static final Color LOSS = new Color(0x1f5fbf);
    static final Color ENTROPY = new Color(0xd08a1d);
    private static final int POINTS = 300;

    private LossCurve() {}

    /** Save the curve, with the unigram entropy as a reference line. */
    static void save(List<Double> losses, double unigramEntropy, Path svg) throws IOException {
        int window = Math.max(1, losses.size() / POINTS);
        int count = losses.size() / window;
        double[] steps = new double[count];
        double[] means = new double[count];
        for (int i = 0; i < count; i++) {
            steps[i] = (i + 0.5) * window;
            means[i] =
                    losses.subList(i * window, (i + 1) * window).stream()
                            .mapToDouble(Double::doubleValue)
                            .average()
                            .orElseThrow();
        }
        XYChart chart =
                new XYChartBuilder()
                        .width(900)
                        .height(500)
                        .title("Training loss")
                        .xAxisTitle("step")
                        .yAxisTitle("nats a character")
                        .build();
        chart.getStyler()
                .setLegendPosition(LegendPosition.InsideNE)
                .setChartBackgroundColor(Color.WHITE);
        chart.addSeries("loss (mean of %d steps)".formatted(window), steps, means)
                .setMarker(SeriesMarkers.NONE)
                .setLineColor(LOSS);
        chart.addSeries(
                        "unigram entropy",
                        new double[] {0, losses.size()},
                        new double[] {unigramEntropy, unigramEntropy})
                .setMarker(SeriesMarkers.NONE)
                .setLineColor(ENTROPY);
        VectorGraphicsEncoder.saveVectorGraphic(chart, svg.toString(), VectorGraphicsFormat.SVG);
    }
}
