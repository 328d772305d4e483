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
 * The ratios to the machine's limits, measured in the same run, that Gradwire once had. Times
 * differ from machine to machine and from hour to hour; of the ratios, which do so less, only one
 * that has halved counts.
 */
final class Baseline {
    private static final String RESOURCE = "baseline.properties";
    private static final double LEAST_SHARE = 0.5;
    private static final String OURS = "gradwire";

    private final Map<String, Double> ratios;

    /** Create one of ratios by the name of the {@link Result}. */
    Baseline(Map<String, Double> ratios) {
        this.ratios = new TreeMap<>(ratios);
    }

    /** {@return that of the module} */
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

    /** {@return whether a number of the figure is held against this} */
    boolean has(Figure figure) {
        return ratios.keySet().stream().anyMatch(name -> name.startsWith(figure.label() + "."));
    }

    /** {@return whether none of a figure's ratios is less than half of what it was} */
    boolean isKept(Figure figure, Map<String, Timing> bySystem) {
        return ratios(Map.of(figure, bySystem)).entrySet().stream()
                .allMatch(ratio -> isKept(ratio.getKey(), ratio.getValue()));
    }

    private boolean isKept(String name, double ratio) {
        return ratio >= LEAST_SHARE * ratios.getOrDefault(name, 0.0);
    }

    /**
     * {@return a line for each ratio that is less than half of what it was, or was not measured}
     */
    List<String> regressions(Map<Figure, Map<String, Timing>> results) {
        Map<String, Double> measured = ratios(results);
        List<String> lines = new ArrayList<>();
        ratios.forEach((name, expected) -> {
            Double now = measured.get(name);
            if (now == null) {
                lines.add(name + " was not measured beside its limit");
            } else if (!isKept(name, now)) {
                lines.add(
                        String.format(
                                Locale.ROOT,
                                "%s is %.3f of its limit, less than half of the %.3f it was",
                                name,
                                now,
                                expected));
            }
        });
        return lines;
    }

    private static Map<String, Double> ratios(Map<Figure, Map<String, Timing>> results) {
        var measured = new TreeMap<String, Double>();
        results.forEach((figure, bySystem) -> {
            Timing ours = bySystem.get(OURS);
            Timing limit = bySystem.get(Limits.NAME);
            if (ours != null && limit != null) {
                putRatios(measured, Result.of(figure, ours), Result.of(figure, limit));
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
