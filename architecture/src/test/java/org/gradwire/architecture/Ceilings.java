package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Numbers above a limit, with their present values as ceilings that may only fall.
 *
 * <p>The file has a line {@code KEY NUMBER} for each. Empty lines between them let branches that
 * change neighbours merge without a conflict; lines that begin with {@code #} are comments.
 *
 * @param file in the test resources of this module
 * @param numbers by their keys
 */
record Ceilings(Path file, Map<String, Integer> numbers) {
    private static final boolean REWRITE = Boolean.getBoolean("architecture.rewrite.descriptors");

    static Ceilings read(Path file) {
        Map<String, Integer> numbers = new TreeMap<>();
        for (String line : lines(file)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                int space = line.lastIndexOf(' ');
                numbers.put(line.substring(0, space), Integer.valueOf(line.substring(space + 1)));
            }
        }
        return new Ceilings(file, numbers);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Fail unless the file has exactly the present numbers, after {@link #rewrite} with {@code
     * -Drewrite.descriptors=true}.
     *
     * @param present the numbers above the limit
     */
    void check(Map<String, Integer> present) {
        if (REWRITE) {
            rewrite(present);
        } else {
            requireEqual(present);
        }
    }

    void requireEqual(Map<String, Integer> present) {
        assertTrue(corrections(present).isEmpty(), () -> advice(present));
    }

    /**
     * Replace the numbers. Renames and splits are allowed; a number above its ceiling or a larger
     * sum fails.
     */
    void rewrite(Map<String, Integer> present) {
        boolean grew =
                present.entrySet().stream()
                        .anyMatch(e ->
                                e.getValue() > numbers.getOrDefault(e.getKey(), Integer.MAX_VALUE));
        assertTrue(!grew && sum(present) <= sum(numbers), () -> advice(present));
        List<String> lines =
                new ArrayList<>(lines(file).stream().filter(l -> l.startsWith("#")).toList());
        new TreeMap<>(present)
                .forEach((key, number) -> lines.addAll(List.of("", key + " " + number)));
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the changes of the file that make its ceilings equal the present numbers} */
    List<String> corrections(Map<String, Integer> present) {
        List<String> corrections = new ArrayList<>();
        new TreeMap<>(present)
                .forEach((key, number) -> {
                    Integer ceiling = numbers.get(key);
                    if (ceiling == null) {
                        corrections.add("above the limit, not in the file: " + key + " " + number);
                    } else if (number > ceiling) {
                        corrections.add("grew from " + ceiling + ": " + key + " " + number);
                    } else if (number < ceiling) {
                        corrections.add("fell from " + ceiling + ", write: " + key + " " + number);
                    }
                });
        numbers.forEach((key, ceiling) -> {
            if (!present.containsKey(key)) {
                corrections.add("within the limit, delete: " + key + " " + ceiling);
            }
        });
        return corrections;
    }

    private String advice(Map<String, Integer> present) {
        return "%s: the sum was %d and is %d. Reduce the entries that grew. If none did, nor the sum, edit these lines, or run again with -Drewrite.descriptors=true:\n%s"
                .formatted(
                        file, sum(numbers), sum(present), String.join("\n", corrections(present)));
    }

    private static int sum(Map<String, Integer> numbers) {
        return numbers.values().stream().mapToInt(Integer::intValue).sum();
    }
}
