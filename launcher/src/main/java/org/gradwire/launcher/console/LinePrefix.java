package org.gradwire.launcher.console;

import java.nio.charset.StandardCharsets;

/**
 * The prefix of a worker's output lines: its name, padded so that all lines align.
 *
 * @param text the padded name and a bar; empty for none
 * @param color an ANSI color code
 */
public record LinePrefix(String text, int color) {
    // Cyan, yellow, green, magenta, blue, then their bright forms: red is left to programs.
    private static final int[] COLORS = {36, 33, 32, 35, 34, 96, 93, 92, 95, 94};

    /** {@return no prefix} */
    public static LinePrefix none() {
        return new LinePrefix("", 0);
    }

    /** {@return the prefix of a worker, with a color that depends on its index} */
    public static LinePrefix of(String name, int width, int index) {
        return new LinePrefix(
                name + " ".repeat(Math.max(0, width - name.length())) + " | ",
                COLORS[index % COLORS.length]);
    }

    byte[] bytes(boolean colored) {
        String shown =
                colored && !text.isEmpty() ? "\u001b[" + color + "m" + text + "\u001b[0m" : text;
        return shown.getBytes(StandardCharsets.UTF_8);
    }
}
