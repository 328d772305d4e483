package org.gradwire.architecture;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A piece of English: a comment, a string literal or a document.
 *
 * @param kind its origin
 * @param text of the same length as in the file; comment marks are spaces, and code is underscores
 * @param start offset of the text in its file
 */
record Prose(Kind kind, String text, int start) {
    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z'-]*");
    private static final Pattern COMMENT_MARK =
            Pattern.compile(
                    "^[ \t]*/\\*+|\\*+/$|^[ \t]*\\*|(?:^|(?<=\n))[ \t]*//", Pattern.MULTILINE);
    private static final Pattern CODE =
            Pattern.compile(
                    "\\{@(?:code|link|linkplain|snippet|value)\\b(?:[^{}]|\\{(?:[^{}]|\\{(?:[^{}]|\\{[^{}]*+})*+})*+})*+}|(?s:<pre>.*?</pre>)");
    private static final Pattern MARKDOWN_CODE =
            Pattern.compile("(?ms:^[ ]*```.*?^[ ]*```)|`[^`\n]++`|]\\([^)\n]++\\)|(?m:^ {4}.*$)");

    /** Origin of a text. */
    enum Kind {
        JAVADOC,
        COMMENT,
        LITERAL,
        DOCUMENT
    }

    /** {@return a comment with its marks} */
    static Prose comment(String source, int start, int end) {
        String comment = source.substring(start, end);
        Kind kind = comment.startsWith("/**") ? Kind.JAVADOC : Kind.COMMENT;
        return new Prose(kind, fill(CODE, fill(COMMENT_MARK, comment, ' '), '_'), start);
    }

    static Prose literal(String source, int start, int end) {
        return new Prose(Kind.LITERAL, source.substring(start, end), start);
    }

    static Prose document(String markdown) {
        return new Prose(Kind.DOCUMENT, fill(MARKDOWN_CODE, markdown, '_'), 0);
    }

    /** Replace each match by a character, except line ends. */
    private static String fill(Pattern pattern, String text, char filler) {
        Matcher matcher = pattern.matcher(text);
        var filled = new StringBuilder(text);
        while (matcher.find()) {
            for (int i = matcher.start(); i < matcher.end(); i++) {
                if (text.charAt(i) != '\n') {
                    filled.setCharAt(i, filler);
                }
            }
        }
        return filled.toString();
    }

    int words() {
        return (int) WORD.matcher(text).results().count();
    }
}
