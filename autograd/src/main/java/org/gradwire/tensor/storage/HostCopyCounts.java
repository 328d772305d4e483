package org.gradwire.tensor.storage;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How often operators copied memory of a device for a kernel of the host. */
public final class HostCopyCounts {
    private static final Map<String, LongAdder> COPIES = new ConcurrentHashMap<>();
    private static final LongAdder BYTES = new LongAdder();

    private HostCopyCounts() {}

    static void count(ThreadState state, long bytes) {
        COPIES.computeIfAbsent(state.operator, _ -> new LongAdder()).increment();
        BYTES.add(bytes);
    }

    /** {@return the number of copies so far by the operator that made them} */
    public static SortedMap<String, Long> copies() {
        SortedMap<String, Long> copies = new TreeMap<>();
        COPIES.forEach((operator, count) -> copies.put(operator, count.sum()));
        return copies;
    }

    /** {@return the bytes copied to the host so far} */
    public static long bytes() {
        return BYTES.sum();
    }
}
