package org.gradwire.runtime.config;

import java.util.regex.Pattern;

/** The form of a worker's name. */
public final class WorkerName {
    /** The characters of a name. */
    public static final Pattern PATTERN = Pattern.compile("^[A-Za-z0-9-_:]*$");

    /** A name is shorter than this. */
    public static final int LENGTH_LIMIT = 128;

    private WorkerName() {}

    /** {@return whether a text is a valid name of a worker} */
    public static boolean isValid(String name) {
        return !name.isEmpty() && name.length() < LENGTH_LIMIT && PATTERN.matcher(name).matches();
    }
}
