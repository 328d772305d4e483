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
 * The machine's limits: for small messages an echo of bytes through Aeron's logs, for large ones
 * two memory copies, one each way.
 */
final class MachineLimits implements Subject {
    static final String NAME = "limit";

    private final ChildSubject aeron;
    private static final long MOST_SMALL_BYTES = 1 << 10;
    private static final long MOST_LARGE_BYTES = 32 << 10;

    private final Map<Metric, Workload> own = new EnumMap<>(Metric.class);

    MachineLimits() throws IOException {
        String folder = "/dev/shm/gradwire-bench-" + ProcessHandle.current().pid();
        aeron = ChildSubject.onThisHost(NAME, false, Jvm.command(AeronPeer.class), folder);
        for (Metric metric : EnumSet.of(Metric.ECHO_1_MIB, Metric.ECHO_8_MIB, Metric.ECHO_64_MIB)) {
            own.put(metric, copyThereAndBack(metric.work()));
        }
        for (Metric metric : EnumSet.range(Metric.ALLOC_NOOP, Metric.ALLOC_ECHO)) {
            own.put(metric, _ -> Timing.even(MOST_SMALL_BYTES));
        }
        own.put(Metric.ALLOC_ECHO_64_MIB, _ -> Timing.even(MOST_LARGE_BYTES));
    }

    private static Workload copyThereAndBack(long bytes) {
        MemorySegment here = Arena.ofAuto().allocate(bytes);
        MemorySegment there = Arena.ofAuto().allocate(bytes);
        return Workload.latency(() -> {
            there.copyFrom(here);
            here.copyFrom(there);
        });
    }

    /** {@return a workload that copies memory once} */
    static Workload copy(long bytes) {
        MemorySegment from = Arena.ofAuto().allocate(bytes);
        MemorySegment to = Arena.ofAuto().allocate(bytes);
        from.fill((byte) 1); // else all pages are the system's one of zeros
        return Workload.latency(() -> to.copyFrom(from));
    }

    void awaitReady() throws IOException {
        aeron.awaitReady();
    }

    @Override
    public String name() {
        return aeron.name();
    }

    @Override
    public Set<Metric> metrics() {
        Set<Metric> all = EnumSet.copyOf(aeron.metrics());
        all.addAll(own.keySet());
        return all;
    }

    @Override
    public Timing measure(Metric metric, Duration time) throws Exception {
        Workload copy = own.get(metric);
        return copy == null ? aeron.measure(metric, time) : copy.measure(time);
    }

    @Override
    public void close() {
        aeron.close();
    }
}
