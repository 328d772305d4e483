package org.gradwire.bench;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.FutureTask;

/** Work that a thread of its own repeats while something else is measured. */
final class Load {
    private final FutureTask<@Nullable Void> repetition;
    private volatile boolean isEnding;

    private Load(Task.Call work) {
        repetition =
                new FutureTask<>(() -> {
                    while (!isEnding) {
                        work.run();
                    }
                    return null;
                });
    }

    /**
     * Return a task that takes the time of each call while the load is on, and its tail far out.
     */
    static Task beside(Task.Call work, Task.Call call) {
        return time -> {
            var load = new Load(work);
            Thread.ofPlatform().daemon().name("load").start(load.repetition);
            try {
                return Task.latency(call, Timing.PER_MILLE).measure(time);
            } finally {
                load.end();
            }
        };
    }

    /** Wait for the end of the work that is under way, and fail as it has failed. */
    private void end() throws Exception {
        isEnding = true;
        repetition.get();
    }
}
