package org.gradwire.profiler;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Collects the events of one profile, on any thread. Nested recordings share their ids, so that an
 * event has the same id in all of them.
 */
final class Recording {
    private final ProfilerOptions options;
    private final int nodeId;
    private final @Nullable Recording outer;
    private final AtomicLong lastId;
    private final ConcurrentLinkedQueue<ProfilerEvent> ended = new ConcurrentLinkedQueue<>();
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong droppedElsewhere = new AtomicLong();
    private final Instant startTime = Instant.now();
    private final long startNanos = System.nanoTime();

    Recording(ProfilerOptions options, int nodeId, @Nullable Recording outer) {
        this.options = options;
        this.nodeId = nodeId;
        this.outer = outer;
        this.lastId = outer == null ? new AtomicLong() : outer.lastId;
    }

    ProfilerOptions options() {
        return options;
    }

    int nodeId() {
        return nodeId;
    }

    long nextId() {
        return lastId.incrementAndGet();
    }

    /** {@return the time of day at a moment of {@link System#nanoTime}} */
    Instant instant(long nanoTime) {
        return startTime.plusNanos(nanoTime - startNanos);
    }

    void add(ProfilerEvent event) {
        if (count.incrementAndGet() <= options.maxEvents()) {
            ended.add(event);
        }
        if (outer != null) {
            outer.add(event);
        }
    }

    void addRemote(String key, long call, Profile remote) {
        String prefix = key + "#remote_op: ";
        Map<Long, Long> ids = new HashMap<>();
        remote.events().forEach(event -> ids.put(event.id(), nextId()));
        for (ProfilerEvent event : remote.events()) {
            long id = ids.getOrDefault(event.id(), call);
            add(event.received(id, ids.getOrDefault(event.parent(), call), prefix));
        }
        countDropped(remote.dropped());
    }

    private void countDropped(long number) {
        droppedElsewhere.addAndGet(number);
        if (outer != null) {
            outer.countDropped(number);
        }
    }

    Profile profile() {
        List<ProfilerEvent> events = List.copyOf(ended);
        long dropped = Math.max(0, count.get() - options.maxEvents());
        return new Profile(events, dropped + droppedElsewhere.get());
    }
}
