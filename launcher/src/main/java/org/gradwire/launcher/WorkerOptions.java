package org.gradwire.launcher;

import picocli.CommandLine.Option;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The options of {@code run} and {@code hosts} for each worker, and for the time of the run. */
final class WorkerOptions {
    @Option(
            names = {"-p", "--module-path"},
            paramLabel = "PATH",
            description = "Your own jars and folders of modules, separated as in java -p.")
    private List<String> modulePath = new ArrayList<>();

    @Option(
            names = "--jvm-arg",
            paramLabel = "ARG",
            description = "An argument for each worker's JVM; may be repeated.")
    private List<String> jvmArgs = new ArrayList<>();

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "An environment variable for each worker; may be repeated.")
    private Map<String, String> environment = new LinkedHashMap<>();

    @Option(
            names = "--backend",
            paramLabel = "NAME",
            description =
                    "The backend that carries messages between processes: tensorpipe, netty or auto. Default: tensorpipe.")
    private Optional<String> backend = Optional.empty();

    @Option(
            names = "--no-prefix",
            description = "Print the workers' lines without their names in front.")
    private boolean noPrefix;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Timeout of the whole run: 30s, 2m.")
    private Optional<Duration> timeout = Optional.empty();

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "10s",
            description =
                    "Time for a worker to end after SIGTERM, before it is killed."
                            + " Default: ${DEFAULT-VALUE}.")
    private Duration grace = Duration.ZERO;

    /**
     * {@return the jars and folders of the module path}
     *
     * @throws LauncherException if one does not exist on this host
     */
    List<Path> modulePath() {
        List<Path> entries =
                modulePath.stream()
                        .flatMap(path -> Stream.of(path.split(File.pathSeparator)))
                        .filter(entry -> !entry.isEmpty())
                        .map(Path::of)
                        .toList();
        for (Path entry : entries) {
            if (!Files.exists(entry)) {
                throw new LauncherException("--module-path: there is no " + entry);
            }
        }
        return entries;
    }

    List<String> jvmArgs() {
        return jvmArgs;
    }

    Optional<String> backend() {
        return backend;
    }

    /** {@return the variables that a worker has and the launcher has not} */
    Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>(environment);
        backend.ifPresent(name -> variables.put(BackendChoice.VARIABLE, name));
        return variables;
    }

    /** {@return all variables of a worker on this host, without that of the backend's option} */
    Map<String, String> environment() {
        Map<String, String> all = new HashMap<>(System.getenv());
        all.putAll(environment);
        return all;
    }

    boolean prefixed() {
        return !noPrefix;
    }

    Optional<Duration> timeout() {
        return timeout;
    }

    Duration grace() {
        return grace;
    }

    /** Refuse a token among the arguments and variables, which other users can see. */
    void refuseVisibleToken() {
        TokenOptions.refuseVisibleToken(environment, jvmArgs);
    }

    /** {@return these options but the timeout, for a launcher on another host} */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        modulePath.forEach(path -> arguments.add("--module-path=" + path));
        jvmArgs.forEach(argument -> arguments.add("--jvm-arg=" + argument));
        environment.forEach((name, value) -> arguments.add("--env=" + name + "=" + value));
        backend.ifPresent(name -> arguments.add("--backend=" + name));
        if (noPrefix) {
            arguments.add("--no-prefix");
        }
        arguments.add("--grace=" + grace.toMillis() + "ms");
        return arguments;
    }
}
