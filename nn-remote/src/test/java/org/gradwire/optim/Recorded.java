package org.gradwire.optim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The lines of each case of a file that {@code generate_optimizers.py} has written. */
final class Recorded {

    private Recorded() {}

    static Map<String, List<String>> read(String file) {
        try (var in = Recorded.class.getResourceAsStream("/" + file)) {
            if (in == null) {
                throw new IllegalStateException("there is no " + file);
            }
            Map<String, List<String>> cases = new LinkedHashMap<>();
            List<String> current = new ArrayList<>();
            String all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (String line : all.lines().toList()) {
                if (line.startsWith("case ")) {
                    current = new ArrayList<>();
                    cases.put(line.substring("case ".length()), current);
                } else {
                    current.add(line);
                }
            }
            return cases;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the numbers of a line, after some words} */
    static double[] numbers(String line, int words) {
        return Arrays.stream(line.split(" ", -1))
                .skip(words)
                .mapToDouble(Double::parseDouble)
                .toArray();
    }
}
