package org.gradwire.launcher;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What the workers run.
 *
 * @param target the main class
 * @param description one line for the list of programs; empty for a program that is not in it
 * @param workers how many workers it wants when the user does not say; empty if it does not care
 * @param prefixed whether its lines get the workers' names in front unless the user says otherwise
 * @param modulePath where its modules are, besides what the user adds
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
