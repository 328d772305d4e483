package org.gradwire.launcher;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A program that the workers run.
 *
 * @param target main class
 * @param description line in the list of programs; empty for an unlisted program
 * @param workers default number of workers; empty for the launcher's default
 * @param prefixed default for prefixing output lines with the workers' names
 * @param modulePath path of its modules, without the user's additions
 */
record Program(
        ExecutionTarget target,
        String description,
        Optional<Integer> workers,
        boolean prefixed,
        List<Path> modulePath) {

    static Program of(ExecutionTarget target, List<Path> modulePath) {
        return new Program(target, "", Optional.empty(), true, modulePath);
    }
}
