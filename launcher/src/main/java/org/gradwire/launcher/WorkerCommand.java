package org.gradwire.launcher;

import java.util.ArrayList;
import java.util.List;

/**
 * The command line of a worker.
 *
 * @param jvm java and its options
 * @param arguments the program's
 */
record WorkerCommand(List<String> jvm, ExecutionTarget program, List<String> arguments) {
    private static final String RUNTIME = "org.gradwire.runtime";
    private static final String STANDBY = RUNTIME + "/" + RUNTIME + ".standby.Standby";

    WorkerCommand {
        jvm = List.copyOf(jvm);
        arguments = List.copyOf(arguments);
    }

    /** {@return the command of a worker} */
    List<String> ofWorker() {
        return line("-m", program.toString());
    }

    /** {@return the command of a JVM that waits to become a worker} */
    List<String> ofStandby() {
        return line(
                "--add-modules",
                program.module(),
                "--add-opens",
                "%s/%s=%s".formatted(program.module(), program.mainPackage(), RUNTIME),
                "-m",
                STANDBY,
                program.toString());
    }

    private List<String> line(String... main) {
        List<String> line = new ArrayList<>(jvm);
        line.addAll(List.of(main));
        line.addAll(arguments);
        return line;
    }
}
