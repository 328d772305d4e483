package org.gradwire.bench.process;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/** The JIT compiler of this JVM, which continues for a while after the work that triggered it. */
public final class Compiler {
    private static final long PAUSE_MILLIS = 10;
    private static final int MOST_PAUSES = 100;

    private Compiler() {}

    /** Wait until the compiler has been idle briefly; at most one second. */
    public static void settle() throws InterruptedException {
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        long before = -1;
        for (int i = 0; i < MOST_PAUSES && compiler.getTotalCompilationTime() != before; i++) {
            before = compiler.getTotalCompilationTime();
            Thread.sleep(PAUSE_MILLIS);
        }
    }
}
