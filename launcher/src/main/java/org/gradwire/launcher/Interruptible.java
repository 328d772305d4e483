package org.gradwire.launcher;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs a task with sockets so that an interrupt ends it: virtual threads close them then. */
final class Interruptible {

    private Interruptible() {}

    /**
     * Run a task and wait for its result.
     *
     * @throws IOException of the task, or if the waiting thread is interrupted
     */
    static <T> T call(Callable<T> task) throws IOException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<T> running = threads.submit(task);
            try {
                return running.get();
            } catch (InterruptedException e) {
                running.cancel(true);
                throw new IOException("it was stopped", e);
            } catch (ExecutionException e) {
                Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
                throw new IOException(cause.getMessage(), e);
            }
        }
    }
}
