package org.gradwire.backend.tensorpipe.channel;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A thread for copies that are too long for the receive loop: reads of large buffers from other
 * processes, and large messages of a worker to itself. Starts with the first task. Thread-safe.
 */
public final class CopyThread {
    private static final Logger LOG = System.getLogger(CopyThread.class.getPackageName());

    /** Limit of copies in the receive loop; a copy thread makes longer ones. */
    public static final long MOST_INLINE_BYTES = 1024 * 1024;

    private record Task(Runnable copy, Runnable ifStopped) {}

    private final LinkedBlockingQueue<Task> tasks = new LinkedBlockingQueue<>();
    private final String name;
    private @Nullable Thread thread;
    private boolean isStopped;

    public CopyThread(String name) {
        this.name = name;
    }

    /**
     * Run a task soon.
     *
     * @param ifStopped runs instead if the thread is stopped before
     */
    public void execute(Runnable copy, Runnable ifStopped) {
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

    /** Stop after the current task, and cancel the others. */
    public void stop() {
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
