package org.gradwire.processor;

/**
 * A source with a fault.
 *
 * @param source source in package {@code jobs}; the line of the fault ends with {@code // !}
 * @param message expected message
 */
record Fault(String source, String message) {
    static final String HEADER =
            """
            package jobs;
            import java.io.*;
            import java.util.*;
            import java.util.concurrent.*;
            import org.gradwire.rpc.*;
            """;

    /** {@return a fault in members of a public class {@code Jobs}} */
    static Fault inJobs(String members, String message) {
        return new Fault(
                "public final class Jobs {\n    private Jobs() {}\n" + members + "\n}\n", message);
    }

    String text() {
        return HEADER + source;
    }

    long line() {
        return text().substring(0, text().indexOf("// !")).lines().count();
    }

    @Override
    public String toString() {
        return message;
    }
}
