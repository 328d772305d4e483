package org.gradwire.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.stream.IntStream;

/** Endless threads of another process, which take the processors from the systems measured. */
public final class BusyThreads implements AutoCloseable {
    private final List<Process> processes;

    private BusyThreads(List<Process> processes) {
        this.processes = processes;
    }

    /** Start a number of threads, each in its own process; 0 for none. */
    public static BusyThreads start(int number) {
        return new BusyThreads(IntStream.range(0, number).mapToObj(_ -> startOne()).toList());
    }

    private static Process startOne() {
        try {
            return new ProcessBuilder(Jvm.command(BusyThreads.class))
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Compute until the input ends, which the end of the bench ends. */
    public static void main(String[] args) throws IOException {
        Thread.ofPlatform().daemon().start(BusyThreads::compute);
        while (System.in.read() >= 0) {
            // the bench writes nothing
        }
        Runtime.getRuntime().halt(0);
    }

    private static void compute() {
        long x = 1;
        while (x != 0) { // an odd number times an odd number is odd
            x *= 6_364_136_223_846_793_005L;
        }
    }

    /** End the threads. */
    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
    }
}
