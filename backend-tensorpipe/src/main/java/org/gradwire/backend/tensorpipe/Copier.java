package org.gradwire.backend.tensorpipe;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A thread for copies that are too long for a poller, started with the first one: it reads large
 * buffers out of other processes, and copies large messages of a worker to itself.
 */
final class Copier {
    private static final Logger LOG = System.getLogger(Copier.class.getPackageName());

    private record Task(Runnable copy, Runnable ifStopped) {}

    private final LinkedBlockingQueue<Task> tasks = new LinkedBlockingQueue<>();
    private final String name;
    private @Nullable Thread thread;
    private boolean isStopped;

    Copier(String name) {
        this.name = name;
    }

    /**
     * Run a task soon.
     *
     * @param ifStopped run in its place when the copier is stopped before
     */
    void execute(Runnable copy, Runnable ifStopped) {
        synchronized (this) {
            if (!isStopped) {
                tasks.add(new Task(copy, ifStopped));
                if (thread == null) {
                    thread = Thread.ofPlatform().daemon().name(name).start(this::run);
                }
                return;
            }
        }
        ifStopped.run();
    }

    private void run() {
        try {
            while (true) {
                run(tasks.take().copy);
            }
        } catch (InterruptedException _) {
            // stopped
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "a copy failed", e);
        }
    }

    /** End after the task that is running, if one is; give up the others. */
    void stop() {
        synchronized (this) {
            isStopped = true;
            if (thread != null) {
                thread.interrupt();
            }
        }
        for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
            task.ifStopped.run();
        }
    }
}
