package org.gradwire.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The recorded ratios of Gradwire to the machine's limits, measured in the same run. Times vary
 * between machines and hours; ratios vary less, and only a halved ratio is a regression.
 */
final class Baseline {
    private static final String RESOURCE = "baseline.properties";
    private static final double LEAST_SHARE = 0.5;
    private static final String OURS = "gradwire";

    private final Map<String, Double> ratios;

    /** Create a baseline of ratios by the name of the {@link Result}. */
    Baseline(Map<String, Double> ratios) {
        this.ratios = new TreeMap<>(ratios);
    }

    /** {@return the module's baseline} */
    static Baseline committed() throws IOException {
        try (InputStream stream = Baseline.class.getResourceAsStream(RESOURCE)) {
            if (stream == null) {
                throw new IOException("the module has no " + RESOURCE);
            }
            var properties = new Properties();
            properties.load(new InputStreamReader(stream, StandardCharsets.UTF_8));
            return new Baseline(
                    properties.stringPropertyNames().stream()
                            .collect(
                                    Collectors.toMap(
                                            Function.identity(),
                                            name -> Double.valueOf(properties.getProperty(name)))));
        }
    }

    /** {@return whether this baseline has a ratio of the metric} */
    boolean has(Metric metric) {
        return ratios.keySet().stream().anyMatch(name -> name.startsWith(metric.label() + "."));
    }

    /** {@return whether none of a metric's ratios has fallen below half of its baseline} */
    boolean isKept(Metric metric, Map<String, Timing> bySystem) {
        return ratios(Map.of(metric, bySystem)).entrySet().stream()
                .allMatch(ratio -> isKept(ratio.getKey(), ratio.getValue()));
    }

    private boolean isKept(String name, double ratio) {
        return ratio >= LEAST_SHARE * ratios.getOrDefault(name, 0.0);
    }

    /**
     * {@return a line for each ratio that has fallen below half of its baseline, or was not
     * measured}
     */
    List<String> regressions(Map<Metric, Map<String, Timing>> results) {
        Map<String, Double> measured = ratios(results);
        List<String> lines = new ArrayList<>();
        ratios.forEach((name, expected) -> {
            Double now = measured.get(name);
            if (now == null) {
                lines.add(name + " was not measured with its limit");
            } else if (!isKept(name, now)) {
                lines.add(
                        String.format(
                                Locale.ROOT,
                                "%s is %.3f of its limit, less than half of its baseline of %.3f",
                                name,
                                now,
                                expected));
            }
        });
        return lines;
    }

    private static Map<String, Double> ratios(Map<Metric, Map<String, Timing>> results) {
        var measured = new TreeMap<String, Double>();
        results.forEach((metric, bySystem) -> {
            Timing ours = bySystem.get(OURS);
            Timing limit = bySystem.get(MachineLimits.NAME);
            if (ours != null && limit != null) {
                putRatios(measured, Result.of(metric, ours), Result.of(metric, limit));
            }
        });
        return measured;
    }

    private static void putRatios(
            Map<String, Double> ratios, List<Result> ours, List<Result> limits) {
        for (int i = 0; i < ours.size(); i++) {
            ratios.put(ours.get(i).name(), ours.get(i).timesBetterThan(limits.get(i)));
        }
    }
}
