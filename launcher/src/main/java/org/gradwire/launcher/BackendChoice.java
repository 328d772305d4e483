package org.gradwire.launcher;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The backend of the workers, where the launcher's arguments and environment name one.
 *
 * @param option the value of {@code --backend}
 * @param environment of the workers
 * @param jvmArgs of the workers
 */
record BackendChoice(
        Optional<String> option, Map<String, String> environment, List<String> jvmArgs) {
    static final String VARIABLE = "GRADWIRE_BACKEND";
    private static final String PROPERTY = "-Dgradwire.backend=";

    /** Refuse {@code inproc} for several workers: each is a process. */
    void refuseForSeveralProcesses(World world) {
        if (world.worldSize() > 1 && name().equals("inproc")) {
            throw new LauncherException(
                    "the backend inproc connects workers of one JVM, but each of these "
                            + world.worldSize()
                            + " workers is a separate process: leave "
                            + place()
                            + " out, or name tensorpipe");
        }
    }

    private String name() {
        return option.or(this::property)
                .or(() -> Optional.ofNullable(environment.get(VARIABLE)))
                .orElse("")
                .strip();
    }

    private String place() {
        return option.map(_ -> "--backend")
                .or(() -> property().map(_ -> PROPERTY + "inproc"))
                .orElse(VARIABLE);
    }

    private Optional<String> property() {
        return jvmArgs.stream()
                .filter(arg -> arg.startsWith(PROPERTY))
                .reduce((_, last) -> last)
                .map(arg -> arg.substring(PROPERTY.length()));
    }
}
