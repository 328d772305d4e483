package org.gradwire.launcher;

import java.nio.charset.StandardCharsets;

/**
 * What stands before each line of a worker: its name, padded so that the texts of all workers begin
 * in one column.
 *
 * @param text the padded name and a bar; empty for none
 * @param color an ANSI color code
 */
record Prefix(String text, int color) {
    // Cyan, yellow, green, magenta, blue, then their bright forms: red is kept for what programs
    // say.
    private static final int[] COLORS = {36, 33, 32, 35, 34, 96, 93, 92, 95, 94};

    static Prefix none() {
        return new Prefix("", 0);
    }

    static Prefix of(String name, int width, int index) {
        return new Prefix(
                name + " ".repeat(Math.max(0, width - name.length())) + " | ",
                COLORS[index % COLORS.length]);
    }

    byte[] bytes(boolean colored) {
        String shown =
                colored && !text.isEmpty() ? "\u001b[" + color + "m" + text + "\u001b[0m" : text;
        return shown.getBytes(StandardCharsets.UTF_8);
    }
}
