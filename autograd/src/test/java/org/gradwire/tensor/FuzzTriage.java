package org.gradwire.tensor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** The differences from PyTorch that are accepted: those that {@code fuzz/triage.txt} names. */
final class FuzzTriage {
    private static final String DIFFERENCE = "difference ";
    private static final List<Pattern> RULES = read();

    private FuzzTriage() {}

    private static List<Pattern> read() {
        try (var in = FuzzTriage.class.getResourceAsStream("/fuzz/triage.txt")) {
            byte[] text = Objects.requireNonNull(in, "fuzz/triage.txt").readAllBytes();
            return new String(text, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(DIFFERENCE))
                    .map(line ->
                            Pattern.compile(line.substring(DIFFERENCE.length()), Pattern.DOTALL))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the rule that accepts a difference, if one does} */
    static Optional<String> rule(String difference) {
        return RULES.stream()
                .filter(rule -> rule.matcher(difference).find())
                .map(Pattern::pattern)
                .findFirst();
    }
}
