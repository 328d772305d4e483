package org.gradwire.launcher.agent;

import java.time.Duration;

/**
 * The Java agent of a worker: ends it when its launcher is gone, so that {@code kill -9} of the
 * launcher leaves nothing behind. The worker's program knows nothing of it and is started by {@code
 * java -m} as ever.
 *
 * <p>A daemon thread looks at the parent process. When that is no longer the launcher, the
 * processes that the worker started are killed and the worker exits; shutdown hooks get half a
 * second.
 */
public final class LauncherWatch {
    private static final Duration INTERVAL = Duration.ofMillis(200);
    private static final Duration EXIT_GRACE = Duration.ofMillis(500);
    private static final int HANGUP_STATUS = 129;

    private LauncherWatch() {}

    /**
     * Start to watch. Called by the JVM before the program's {@code main}.
     *
     * @param launcher the launcher's process id
     */
    public static void premain(String launcher) {
        long pid = Long.parseLong(launcher);
        daemon("gradwire-launcher-watch", () -> watch(pid));
    }

    private static void watch(long launcher) {
        ProcessHandle self = ProcessHandle.current();
        try {
            while (self.parent().filter(parent -> parent.pid() == launcher).isPresent()) {
                Thread.sleep(INTERVAL);
            }
        } catch (InterruptedException _) {
            return;
        }
        end(self);
    }

    private static void end(ProcessHandle self) {
        daemon("gradwire-halt", LauncherWatch::haltAfterGrace);
        String runId = System.getenv(RunMarker.VARIABLE);
        if (runId != null) {
            self.descendants()
                    .filter(process -> RunMarker.belongs(process, runId))
                    .forEach(ProcessHandle::destroyForcibly);
        }
        System.exit(HANGUP_STATUS);
    }

    private static void haltAfterGrace() {
        try {
            Thread.sleep(EXIT_GRACE);
        } catch (InterruptedException _) {
            // Then at once.
        }
        Runtime.getRuntime().halt(HANGUP_STATUS);
    }

    private static void daemon(String name, Runnable task) {
        Thread.ofPlatform().daemon().name(name).start(task);
    }
}
