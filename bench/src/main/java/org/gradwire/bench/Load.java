package org.gradwire.bench;

import org.jspecify.annotations.Nullable;

/** Work that a thread of its own repeats while something else is measured. */
final class Load {
    private final Thread thread;
    private volatile boolean isEnding;
    private volatile @Nullable Exception failure;

    private Load(Task.Call work) {
        thread = Thread.ofPlatform().daemon().name("load").unstarted(() -> repeat(work));
    }

    /**
     * Return a task that takes the time of each call while the load is on, and its tail far out.
     */
    static Task beside(Task.Call load, Task.Call call) {
        return time -> {
            Load running = start(load);
            try {
                return Task.latency(call, Timing.PER_MILLE).measure(time);
            } finally {
                running.end();
            }
        };
    }

    private static Load start(Task.Call work) {
        var load = new Load(work);
        load.thread.start();
        return load;
    }

    private void repeat(Task.Call work) {
        try {
            while (!isEnding) {
                work.run();
            }
        } catch (Exception e) {
            failure = e;
        }
    }

    /** Wait for the end of the work that is under way. */
    private void end() throws Exception {
        isEnding = true;
        thread.join();
        if (failure != null) {
            throw failure;
        }
    }
}
