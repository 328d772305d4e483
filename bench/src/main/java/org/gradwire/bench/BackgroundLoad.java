package org.gradwire.bench;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.FutureTask;

/** Work that a background thread repeats during a measurement. */
final class BackgroundLoad {
    private final FutureTask<@Nullable Void> repetition;
    private volatile boolean isEnding;

    private BackgroundLoad(Workload.Call work) {
        repetition =
                new FutureTask<>(() -> {
                    while (!isEnding) {
                        work.run();
                    }
                    return null;
                });
    }

    /**
     * Return a workload that times each call under load, with the 99.9th percentile as the tail.
     */
    static Workload under(Workload.Call work, Workload.Call call) {
        return time -> {
            var backgroundLoad = new BackgroundLoad(work);
            Thread.ofPlatform().daemon().name("load").start(backgroundLoad.repetition);
            try {
                return Workload.latency(call, Timing.PER_MILLE).measure(time);
            } finally {
                backgroundLoad.end();
            }
        };
    }

    /** Wait for the current work to end, and rethrow its failure. */
    private void end() throws Exception {
        isEnding = true;
        repetition.get();
    }
}
