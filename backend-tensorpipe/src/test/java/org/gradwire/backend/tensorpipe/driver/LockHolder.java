package org.gradwire.backend.tensorpipe.driver;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Holds the shared lock of a directory until its input ends. */
final class LockHolder {
    static final String HELD = "held";

    private LockHolder() {}

    public static void main(String[] args) throws Exception {
        try (var _ = DirectoryLock.acquireShared(Path.of(args[0]), TimeUnit.SECONDS.toNanos(10))) {
            System.out.println(HELD);
            while (System.in.read() >= 0) {
                // held until the input ends
            }
        }
        System.out.println("closed");
    }
}
