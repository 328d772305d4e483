package org.gradwire.launcher;

import picocli.CommandLine.Option;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The options of {@code gradwire run} that {@code gradwire hosts} passes on to each host. */
final class RemoteRunOptions {
    @Option(
            names = "--name-prefix",
            paramLabel = "TEXT",
            description = "A worker's name is this and its rank. Default: worker.")
    private Optional<String> namePrefix = Optional.empty();

    @Option(
            names = "--secure",
            description = "Give each worker a certificate of this run, as in gradwire run.")
    private boolean secure;

    @Option(
            names = {"-p", "--module-path"},
            paramLabel = "PATH",
            description = "Your own jars and folders of modules on each host.")
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
            description = "The backend, as in gradwire run.")
    private Optional<String> backend = Optional.empty();

    @Option(
            names = "--no-prefix",
            description = "Print the workers' lines without their names in front.")
    private boolean noPrefix;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "10s",
            description =
                    "Time for a worker to end after SIGTERM, before it is killed."
                            + " Default: ${DEFAULT-VALUE}.")
    private Duration grace = Duration.ZERO;

    boolean isSecure() {
        return secure;
    }

    Duration grace() {
        return grace;
    }

    /** {@return the options for each launcher, each with its value in one argument} */
    List<String> arguments() {
        TokenOptions.refuseVisibleToken(environment, jvmArgs);
        List<String> arguments = new ArrayList<>();
        namePrefix.ifPresent(text -> arguments.add("--name-prefix=" + text));
        if (secure) {
            arguments.add("--secure");
        }
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
