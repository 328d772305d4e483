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
 * The folder that the build assembles: {@code lib} holds the modules of every worker, {@code
 * cuda-lib} those for its GPUs, {@code <name>-lib} those of some programs only, {@code jvm.args}
 * the workers' JVM flags, {@code logging.properties} their logging configuration, {@code lib.jsa}
 * their class data sharing archive, {@code driver.aot} the media driver's AOT cache, and {@code
 * launcher} this module.
 *
 * @param home the folder
 */
record Distribution(Path home) {

    /** Find the distribution from which this class was loaded. */
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

    /** {@return the logging configuration of every worker} */
    Path logging() {
        return home.resolve("logging.properties");
    }

    /**
     * {@return the JVM flags for the class data sharing archive of {@link #lib}}
     *
     * <p>The JVM compares the archive with its own version and with the jars, by path, size and
     * time, and loads the classes from the jars when something differs; the flags keep its warnings
     * about that out of the worker's output. Further modules may follow {@code lib} on the module
     * path.
     *
     * <p>Empty in a folder that was moved or copied: the JVM accepts such an archive, and then
     * refuses packages whose classes come from two locations (observed with JDK 25).
     */
    List<String> classArchive() {
        Path archive = home.resolve("lib.jsa");
        return Files.exists(archive) && isWhereItWasBuilt()
                ? List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds*=off,aot*=off")
                : List.of();
    }

    /**
     * {@return the JVM flags for the AOT cache of the media driver, which a worker may start}
     *
     * <p>Empty where {@link #classArchive} is empty, and in a folder whose name contains blanks,
     * which separate the flags.
     */
    List<String> driverCache() {
        Path cache = home.resolve("driver.aot");
        return Files.exists(cache)
                        && isWhereItWasBuilt()
                        && cache.toString().chars().noneMatch(Character::isWhitespace)
                ? List.of("-Dgradwire.tensorpipe.driver-jvm-flags=-XX:AOTCache=" + cache)
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

    /**
     * {@return the modules of every worker that are not in {@code lib}: those that provide GPUs;
     * empty in a distribution without}
     */
    List<Path> deviceLibs() {
        Path cuda = home.resolve("cuda-lib");
        return Files.isDirectory(cuda) ? List.of(cuda) : List.of();
    }

    /**
     * {@return the JVM flags for the modules of {@link #deviceLibs}}
     *
     * <p>They are not in {@code jvm.args}, since a JVM without these modules prints a warning.
     */
    List<String> deviceFlags() {
        return deviceLibs().isEmpty()
                ? List.of()
                : List.of("--enable-native-access=org.gradwire.device.cuda");
    }

    /** {@return the module folders of some programs only} */
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
     * Require that a module is on the path of a program without a short name: in the user's path,
     * in {@code lib} or in the JDK.
     *
     * @throws LauncherException when it is in none of them
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
            return true; // a broken module, which the worker's JVM reports
        }
    }

    /** {@return the java that runs this launcher} */
    static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }
}
