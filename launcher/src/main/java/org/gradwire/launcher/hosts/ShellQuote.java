package org.gradwire.launcher.hosts;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Quotes words for a POSIX shell: {@code ssh} passes a command to one as a single text. */
final class ShellQuote {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+:,./-]+");

    private ShellQuote() {}

    /** {@return text that a shell reads as one word with exactly these characters} */
    static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** {@return text that a shell reads as these words} */
    static String join(List<String> words) {
        return words.stream().map(ShellQuote::quote).collect(Collectors.joining(" "));
    }
}
