package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.join;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The platform threads that the agents of one check start. A thread inherits the thread group of
 * its creator, so threads of other tests are excluded.
 */
final class OwnThreads {
    private final ThreadGroup group;

    OwnThreads(String rule) {
        group = new ThreadGroup("agents of rule " + rule);
    }

    /** Run a task on a thread of the group. */
    void run(long limitMillis, Runnable task) {
        var failure = new AtomicReference<@Nullable Throwable>();
        var running = new Thread(group, task, group.getName());
        running.setUncaughtExceptionHandler((_, e) -> failure.set(e));
        running.start();
        check(join(running, limitMillis), "agents were still busy after %d ms", limitMillis);
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new AssertionError(thrown.getMessage(), thrown);
        }
    }

    /** {@return the running threads, except the caller} */
    List<Thread> alive() {
        var threads = new Thread[group.activeCount() + 8];
        int count = group.enumerate(threads);
        return Arrays.stream(threads, 0, count)
                .filter(thread -> !thread.equals(Thread.currentThread()))
                .toList();
    }

    List<String> names() {
        return alive().stream().map(Thread::getName).toList();
    }
}
