package org.gradwire.bench;

import org.gradwire.bench.process.Jvm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * What this machine allows: an echo of bytes through Aeron's logs for small messages; for large
 * ones two copies of the memory, one each way.
 */
final class Limits implements Subject {
    static final String NAME = "limit";

    private final ChildSubject aeron;
    private static final long MOST_SMALL_BYTES = 1 << 10;
    private static final long MOST_LARGE_BYTES = 32 << 10;

    private final Map<Figure, Task> own = new EnumMap<>(Figure.class);

    Limits() throws IOException {
        String folder = "/dev/shm/gradwire-bench-" + ProcessHandle.current().pid();
        aeron = ChildSubject.onThisHost(NAME, false, Jvm.command(AeronPeer.class), folder);
        for (Figure figure : EnumSet.of(Figure.ECHO_1_MIB, Figure.ECHO_8_MIB, Figure.ECHO_64_MIB)) {
            own.put(figure, copyThereAndBack(figure.work()));
        }
        for (Figure figure : EnumSet.range(Figure.ALLOC_NOOP, Figure.ALLOC_ECHO)) {
            own.put(figure, _ -> Timing.even(MOST_SMALL_BYTES));
        }
        own.put(Figure.ALLOC_ECHO_64_MIB, _ -> Timing.even(MOST_LARGE_BYTES));
    }

    private static Task copyThereAndBack(long bytes) {
        MemorySegment here = Arena.ofAuto().allocate(bytes);
        MemorySegment there = Arena.ofAuto().allocate(bytes);
        return Task.latency(() -> {
            there.copyFrom(here);
            here.copyFrom(there);
        });
    }

    void awaitReady() throws IOException {
        aeron.awaitReady();
    }

    @Override
    public String name() {
        return aeron.name();
    }

    @Override
    public Set<Figure> figures() {
        Set<Figure> all = EnumSet.copyOf(aeron.figures());
        all.addAll(own.keySet());
        return all;
    }

    @Override
    public Timing measure(Figure figure, Duration time) throws Exception {
        Task copy = own.get(figure);
        return copy == null ? aeron.measure(figure, time) : copy.measure(time);
    }

    @Override
    public void close() {
        aeron.close();
    }
}
