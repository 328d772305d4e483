package org.gradwire.tensor.storage;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts of the copies of device memory that operators make for kernels of the host. */
public final class HostCopyCounts {
    private static final HostCopyCounts OF_THIS_JVM = new HostCopyCounts();

    private final Map<String, LongAdder> copies = new ConcurrentHashMap<>();
    private final LongAdder bytes = new LongAdder();

    private HostCopyCounts() {}

    static void count(String operator, long bytes) {
        OF_THIS_JVM.copies.computeIfAbsent(operator, _ -> new LongAdder()).increment();
        OF_THIS_JVM.bytes.add(bytes);
    }

    /** {@return the number of copies so far, by operator} */
    public static SortedMap<String, Long> copies() {
        SortedMap<String, Long> copies = new TreeMap<>();
        OF_THIS_JVM.copies.forEach((operator, count) -> copies.put(operator, count.sum()));
        return copies;
    }

    /** {@return the bytes copied to the host so far} */
    public static long bytes() {
        return OF_THIS_JVM.bytes.sum();
    }
}
