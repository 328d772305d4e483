package org.gradwire.launcher.restart;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The number of workers to start, and that with which the run may continue.
 *
 * @param least 1 to {@code most}
 */
public record WorkerRange(int least, int most) {
    private static final Pattern SYNTAX = Pattern.compile("(?:(\\d{1,5})\\.\\.)?(-?\\d{1,9})");

    /** {@return a number of workers, all of which are needed unless the user says otherwise} */
    public static WorkerRange of(int workers) {
        return new WorkerRange(workers, workers);
    }

    /**
     * Read {@code 4} or {@code 2..4}.
     *
     * @throws IllegalArgumentException if the text has another form, or its range is empty
     */
    public static WorkerRange parse(String text) {
        Matcher matcher = SYNTAX.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a number of workers such as 4 or 2..4");
        }
        int most = Integer.parseInt(matcher.group(2));
        if (matcher.group(1) == null) {
            return of(most);
        }
        int least = Integer.parseInt(matcher.group(1));
        if (least < 1 || least > most) {
            throw new IllegalArgumentException(
                    "'" + text + "' must begin with 1 or more, and end with no less");
        }
        return new WorkerRange(least, most);
    }
}
