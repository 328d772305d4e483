package org.gradwire.conformance.processes;

import org.gradwire.rpc.Rpc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The conversation of a worker process with the test that started it, as {@link
 * org.gradwire.conformance.harness.ProcessWorld} has it.
 */
final class CommandLoop {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private CommandLoop() {}

    /** Runs commands. */
    interface Commands {
        /**
         * Run a command.
         *
         * @param words the command and its arguments
         * @return the reply, a line
         */
        String obey(String[] words) throws InterruptedException;
    }

    /**
     * Print {@code ready}, then the first word of each line of the input with the reply to it; at
     * the end of the input stop the worker.
     */
    static void run(Rpc rpc, Commands commands) throws IOException, InterruptedException {
        IO.println("ready");
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            IO.println(words[0] + " " + commands.obey(words));
        }
        rpc.shutdownNow();
    }

    /** {@return metrics of a worker once they are as wanted, or those at the end of the time} */
    static String await(Supplier<String> metrics, String wanted, Duration time) {
        long deadline = System.nanoTime() + time.toNanos();
        String now = metrics.get();
        while (!now.equals(wanted) && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LOOK_NANOS);
            now = metrics.get();
        }
        return now;
    }

    static IllegalArgumentException unknown(String[] words) {
        return new IllegalArgumentException("unknown command '" + String.join(" ", words) + "'");
    }
}
