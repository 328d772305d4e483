package org.gradwire.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A documentation comment.
 *
 * @param lines without the stars
 */
record Comment(List<String> lines) {
    private static final Pattern PARAM = Pattern.compile("@param (\\w+) .*");
    private static final Pattern CODE = Pattern.compile("\\{@code [^}]*}");

    static Comment parse(String text) {
        return new Comment(text.strip().lines().map(Comment::withoutIndent).toList());
    }

    private static String withoutIndent(String line) {
        return line.startsWith(" ") ? line.substring(1).stripTrailing() : line.stripTrailing();
    }

    /** {@return the comment of a method: of its own parameters, and with this instead of self} */
    Comment of(Form form, Set<String> parameters) {
        List<String> kept = new ArrayList<>();
        boolean isKept = true;
        int end = -1;
        for (String line : lines) {
            Matcher param = PARAM.matcher(line);
            if (line.startsWith("@")) {
                isKept = !param.matches() || parameters.contains(param.group(1));
                end = end < 0 ? kept.size() : end;
            }
            if (isKept) {
                kept.add(line);
            }
        }
        kept.addAll(end < 0 ? kept.size() : end, fixed(form, end >= 0));
        String text = String.join("\n", kept).strip();
        return new Comment(
                CODE.matcher(text)
                        .replaceAll(m ->
                                Matcher.quoteReplacement(
                                        m.group().replaceAll("\\bself\\b", "this")))
                        .lines()
                        .toList());
    }

    private static List<String> fixed(Form form, boolean hasTags) {
        if (form.fixed().isEmpty()) {
            return List.of();
        }
        String values =
                form.fixed().entrySet().stream()
                        .map(each -> "{@code %s = %s}".formatted(each.getKey(), each.getValue()))
                        .collect(Collectors.joining(", ", "<p>With ", "."));
        return hasTags ? List.of(values, "") : List.of("", values);
    }

    /** {@return the comment in a source, indented} */
    String source() {
        return lines.stream()
                .map(line -> line.isEmpty() ? "     *" : "     * " + line)
                .collect(Collectors.joining("\n", "    /**\n", "\n     */\n"));
    }
}
