package org.gradwire.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Finds the comments and the string literals of a Java source that are English. */
final class ProseReader {
    private static final Pattern SENTENCE =
            Pattern.compile("\\p{Alpha}{2,} \\p{Alpha}+ \\p{Alpha}+");
    private static final Pattern CODE = Pattern.compile("[;{]\\s*\n");

    private final String source;
    private final List<Prose> found = new ArrayList<>();

    private ProseReader(String source) {
        this.source = source;
    }

    /** {@return the English of a source; consecutive line comments are one piece} */
    static List<Prose> read(String source) {
        var reader = new ProseReader(source);
        int at = 0;
        while (at < source.length()) {
            at = reader.next(at);
        }
        return reader.found;
    }

    /** {@return the end of the element that begins at an offset} */
    private int next(int at) {
        if (source.startsWith("//", at)) {
            return comment(at, lineComments(at));
        }
        if (source.startsWith("/*", at)) {
            return comment(at, source.indexOf("*/", at + 2) + 2);
        }
        if (source.startsWith("\"\"\"", at)) {
            return literal(at, quoted(at, "\"\"\""));
        }
        return switch (source.charAt(at)) {
            case '"' -> literal(at, quoted(at, "\""));
            case '\'' -> quoted(at, "'");
            default -> at + 1;
        };
    }

    private int lineComments(int at) {
        int end = lineEnd(at);
        int next = end;
        while (next < source.length() && Character.isWhitespace(source.charAt(next))) {
            next++;
        }
        return source.startsWith("//", next) ? lineComments(next) : end;
    }

    private int lineEnd(int at) {
        int end = source.indexOf('\n', at);
        return end < 0 ? source.length() : end;
    }

    private int quoted(int at, String quote) {
        int end = at + quote.length();
        while (!source.startsWith(quote, end)) {
            end += source.charAt(end) == '\\' ? 2 : 1;
        }
        return end + quote.length();
    }

    private int comment(int start, int end) {
        found.add(Prose.comment(source, start, end));
        return end;
    }

    private int literal(int start, int end) {
        String text = source.substring(start, end);
        if (SENTENCE.matcher(text).find() && !CODE.matcher(text).find()) {
            found.add(Prose.literal(source, start, end));
        }
        return end;
    }
}
