package org.gradwire.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The folder that the build assembles: {@code lib} holds the modules every worker has, {@code
 * <name>-lib} those that only the programs in it need, {@code jvm.args} the workers' JVM flags,
 * {@code logging.properties} how they log, {@code lib.jsa} their classes as the JVM has them in
 * memory, and {@code launcher} this module.
 *
 * @param home the folder
 */
record Distribution(Path home) {

    /** Find the distribution that this class was loaded from. */
    static Distribution ofLauncher() {
        String home =
                System.getProperty("gradwire.home", launcherLocation().resolve("../..").toString());
        return new Distribution(Path.of(home).toAbsolutePath().normalize());
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

    /**
     * {@return the JVM flags that let a worker start with the classes of {@link #lib} as the build
     * has laid them out in memory}
     *
     * <p>The JVM compares the archive with its own version and with the jars, by path, size and
     * time, and loads the classes from the jars when something differs; it shall not talk about it
     * in the worker's output. Further modules may follow {@code lib} on the module path.
     *
     * <p>There are none in a folder that was moved or copied: the JVM takes such an archive, and
     * then refuses packages whose classes it has from two places (seen with JDK 25).
     */
    List<String> classArchive() {
        Path archive = home.resolve("lib.jsa");
        return Files.exists(archive) && isWhereItWasBuilt()
                ? List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds*=off,aot*=off")
                : List.of();
    }

    private boolean isWhereItWasBuilt() {
        try {
            String place = Files.readString(home.resolve("lib.jsa.place")).strip();
            return Files.isSameFile(Path.of(place), home);
        } catch (IOException | InvalidPathException _) {
            return false;
        }
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

    /**
     * Require a module on the path of a program that has no short name: one of the user's, of
     * {@code lib} or of the JDK.
     *
     * @throws LauncherException when it is on none of them
     */
    void requireModule(String module, List<Path> userPath) {
        if (holds(userPath, module)
                || holds(List.of(lib()), module)
                || ModuleFinder.ofSystem().find(module).isPresent()) {
            return;
        }
        String place =
                extraLibs().stream()
                        .filter(extra -> holds(List.of(extra), module))
                        .findFirst()
                        .map(extra -> "it is in " + extra + ", so add -p " + extra)
                        .orElse("name the folder or jar that holds it: -p PATH");
        throw new LauncherException(
                "there is no module %s in %s%s; %s, before the program"
                        .formatted(
                                module,
                                lib(),
                                userPath.stream()
                                        .map(entry -> " or " + entry)
                                        .collect(Collectors.joining()),
                                place));
    }

    private static boolean holds(List<Path> path, String module) {
        try {
            return ModuleFinder.of(path.toArray(Path[]::new)).find(module).isPresent();
        } catch (FindException _) {
            return true; // a broken module, of which the worker's JVM says what is wrong
        }
    }

    /** {@return the java that runs this launcher} */
    static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }
}
