package org.gradwire.backend.tensorpipe.config;

import org.agrona.DirectBuffer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The flags that a worker's JVM needs, from the project's {@code jvm.args}, which the build copies
 * next to this class.
 */
public final class JvmFlags {
    private static final String INTERNAL_PACKAGE = "jdk.internal.misc";

    private JvmFlags() {}

    /**
     * {@return the reason why Agrona cannot work in this JVM, with the missing flag; empty if it
     * can}
     */
    public static Optional<String> obstacle() {
        Module agrona = DirectBuffer.class.getModule();
        if (Object.class.getModule().isExported(INTERNAL_PACKAGE, agrona)) {
            return Optional.empty();
        }
        return Optional.of(
                "the JVM was started without a flag that Aeron's library Agrona needs; start it with "
                        + forAgrona(agrona.isNamed())
                        + (agrona.isNamed()
                                ? ""
                                : ", or give an executable jar the line \"Add-Exports: java.base/"
                                        + INTERNAL_PACKAGE
                                        + "\" in its manifest"));
    }

    /**
     * Return the flag without which Agrona does not work.
     *
     * @param named whether Agrona is on the module path; on the class path it is part of the
     *     unnamed module
     */
    public static String forAgrona(boolean named) {
        String flag =
                lines().stream()
                        .filter(line -> line.contains(INTERNAL_PACKAGE + "=org.agrona"))
                        .findFirst()
                        .orElseThrow(
                                () -> new IllegalStateException("jvm.args has no flag for Agrona"));
        return named ? flag : flag.substring(0, flag.lastIndexOf('=') + 1) + "ALL-UNNAMED";
    }

    /** {@return the flags that a media driver needs on the class path} */
    public static List<String> forDriver() {
        return List.of(
                forAgrona(false),
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED");
    }

    private static List<String> lines() {
        try (InputStream in = JvmFlags.class.getResourceAsStream("jvm.args")) {
            if (in == null) {
                throw new IllegalStateException("jvm.args is missing from this module");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
