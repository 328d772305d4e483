package org.gradwire.launcher;

import org.gradwire.launcher.console.Console;
import org.gradwire.launcher.secure.RunCertificates;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Starts the processes of workers.
 *
 * @param token variables with the token of the group
 * @param ended receives the processes that have ended
 */
record WorkerStarter(
        GroupPlan plan,
        RunDirectory directory,
        Map<String, String> token,
        RunCertificates certificates,
        Console console,
        Consumer<WorkerProcess> ended) {

    /**
     * Start a process of a worker.
     *
     * @param restart number of its earlier processes
     * @param generation number of earlier groups of this run
     */
    WorkerProcess start(int rank, int restart, int generation) throws IOException {
        Path readyFile = directory.readyFile(rank);
        Map<String, String> variables = new HashMap<>(token);
        variables.put(
                "GRADWIRE_RENDEZVOUS",
                plan.world().rendezvous().orElseGet(() -> directory.rendezvous(generation)));
        variables.put("GRADWIRE_RESTART", Integer.toString(restart));
        variables.put("GRADWIRE_READY_FILE", readyFile.toString());
        if (plan.restarts().isElastic()) {
            variables.put("GRADWIRE_GROUP", "dynamic");
            variables.put("GRADWIRE_QUORUM", Integer.toString(plan.restarts().least()));
        }
        variables.putAll(certificates.of(rank));
        return WorkerProcess.start(
                plan, new WorkerProcess.Start(rank, restart, variables, readyFile), console, ended);
    }
}
