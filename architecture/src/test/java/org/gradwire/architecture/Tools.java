package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.spi.ToolProvider;

/** The JDK's tools, within this JVM. */
final class Tools {

    private Tools() {}

    /** Run a tool, fail if it fails, and return its output. */
    static String run(String tool, String... args) {
        var said = new StringWriter();
        var writer = new PrintWriter(said, true);
        int status = ToolProvider.findFirst(tool).orElseThrow().run(writer, writer, args);
        assertEquals(0, status, () -> tool + " " + List.of(args) + System.lineSeparator() + said);
        return said.toString();
    }
}
