package org.gradwire.launcher;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A main class and its module, as {@code java -m} takes them.
 *
 * @param module the module's name
 * @param mainClass the class's full name
 */
record ExecutionTarget(String module, String mainClass) {
    private static final String NAME =
            "[\\p{L}_$][\\p{L}\\p{N}_$]*(?:\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*";
    private static final Pattern SYNTAX = Pattern.compile("(" + NAME + ")/(" + NAME + ")");

    /** {@return the target written as {@code module/main.Class}; empty when it is not} */
    static Optional<ExecutionTarget> parse(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        return matcher.matches()
                ? Optional.of(new ExecutionTarget(matcher.group(1), matcher.group(2)))
                : Optional.empty();
    }

    /** {@return the package of the main class} */
    String mainPackage() {
        return mainClass.substring(0, Math.max(mainClass.lastIndexOf('.'), 0));
    }

    @Override
    public String toString() {
        return module + "/" + mainClass;
    }
}
