package org.gradwire.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder that the build assembles: {@code lib} holds the modules every worker has, {@code
 * <name>-lib} those that only the programs in it need, {@code jvm.args} the workers' JVM flags,
 * {@code logging.properties} how they log, and {@code launcher} this module.
 *
 * @param home the folder
 * @param launcherJar the jar of this module, which is also the workers' agent
 */
record Distribution(Path home, Path launcherJar) {

    /** Find the distribution that this class was loaded from. */
    static Distribution ofLauncher() {
        Path jar = launcherLocation();
        return new Distribution(
                Path.of(System.getProperty("gradwire.home", jar.resolve("../..").toString()))
                        .toAbsolutePath()
                        .normalize(),
                jar);
    }

    private static Path launcherLocation() {
        CodeSource source = Distribution.class.getProtectionDomain().getCodeSource();
        try {
            URI location = source.getLocation().toURI();
            return Path.of(location);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("no path: " + source.getLocation(), e);
        }
    }

    /** {@return the modules of every worker} */
    Path lib() {
        return home.resolve("lib");
    }

    Path jvmArgs() {
        return home.resolve("jvm.args");
    }

    /** {@return what configures the logging of every worker} */
    Path logging() {
        return home.resolve("logging.properties");
    }

    /** {@return the folders of modules that only some programs need} */
    List<Path> extraLibs() {
        try (Stream<Path> entries = Files.list(home)) {
            return entries.filter(entry -> entry.getFileName().toString().endsWith("-lib"))
                    .filter(Files::isDirectory)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + home, e);
        }
    }

    /** {@return the java that runs this launcher} */
    static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }
}
