package org.gradwire.conformance.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import javax.management.JMException;
import javax.management.ObjectName;

/**
 * How much of each resource a process holds: live objects of each class, threads, descriptors,
 * bytes of direct and mapped buffers, and keys of a store. Nothing counts the memory of arenas that
 * are closed by hand. A resource that the system or the JVM does not count is missing, and is
 * compared with nothing.
 *
 * @param counts by resource
 */
public record ResourceCounts(Map<String, Long> counts) {
    public static final String THREADS = "threads";
    public static final String DESCRIPTORS = "descriptors";
    public static final String STORE_KEYS = "keys of the store";
    private static final String OBJECTS = "objects of ";
    private static final String BYTES = "bytes of ";

    /**
     * Objects whose number also grows when code runs for the first time, and with a store's keys.
     */
    public static final Set<String> TEXTS =
            Set.of(
                    OBJECTS + "[B",
                    OBJECTS + "java.lang.String",
                    OBJECTS + "java.util.HashMap$Node");

    private static final int OBJECTS_OF_A_KEY = 4;
    private static final int TEXTS_OF_NEW_CODE = 32;
    private static final long BYTES_EACH = 32;
    private static final Path OPEN_DESCRIPTORS = Path.of("/proc/self/fd");
    private static final int ATTEMPTS = 3;
    private static final String DIAGNOSTICS = "com.sun.management:type=DiagnosticCommand";

    public ResourceCounts {
        counts = Map.copyOf(counts);
    }

    /**
     * Collect the garbage, and count what this process holds, which has a store of so many keys.
     */
    public static ResourceCounts ofThisProcess(int storeKeys) {
        Map<String, Long> counts = new HashMap<>();
        addObjects(counts);
        counts.put(STORE_KEYS, (long) storeKeys);
        counts.put(THREADS, (long) ManagementFactory.getThreadMXBean().getThreadCount());
        descriptors().ifPresent(count -> counts.put(DESCRIPTORS, count));
        for (var pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            counts.put((BYTES + pool.getName() + " memory").intern(), pool.getMemoryUsed());
        }
        return new ResourceCounts(counts);
    }

    /**
     * {@return how many descriptors this process has open; empty where the system does not tell}
     */
    public static OptionalLong descriptors() {
        return filesIn(OPEN_DESCRIPTORS);
    }

    /** {@return how many files a folder has; empty when it cannot be read} */
    public static OptionalLong filesIn(Path folder) {
        for (int i = 0; i < ATTEMPTS; i++) {
            try (Stream<Path> files = Files.list(folder)) {
                return OptionalLong.of(files.count());
            } catch (IOException | UncheckedIOException _) {
                // one of the files has gone meanwhile, or there is no such folder
            }
        }
        return OptionalLong.empty();
    }

    /**
     * Compare with earlier counts.
     *
     * @param things how many calls or members there have been since
     * @return by how much each resource has grown of which each of the things holds one at least,
     *     or 32 bytes, and of {@link #TEXTS} 32 more; those are missing that either count does not
     *     know
     */
    public Map<String, Long> growthSince(ResourceCounts before, int things) {
        Map<String, Long> grown = new TreeMap<>();
        counts.forEach((name, count) -> {
            long more = count - before.counts.getOrDefault(name, before.unmentioned(name, count));
            if (more >= leastGrowth(name, before, things) && !name.equals(STORE_KEYS)) {
                grown.put(name, more);
            }
        });
        return grown;
    }

    private long leastGrowth(String name, ResourceCounts before, int things) {
        if (name.startsWith(BYTES)) {
            return things * BYTES_EACH;
        }
        long keys =
                counts.getOrDefault(STORE_KEYS, 0L) - before.counts.getOrDefault(STORE_KEYS, 0L);
        return TEXTS.contains(name) ? things + TEXTS_OF_NEW_CODE + OBJECTS_OF_A_KEY * keys : things;
    }

    /** There are no objects of a class that is missing; any other missing count is unknown. */
    private long unmentioned(String name, long countNow) {
        boolean hasObjects = counts.keySet().stream().anyMatch(key -> key.startsWith(OBJECTS));
        return name.startsWith(OBJECTS) && hasObjects ? 0 : countNow;
    }

    /** Collect, and count what is left: lines of rank, instances, bytes and class. */
    private static void addObjects(Map<String, Long> counts) {
        try {
            Object histogram =
                    ManagementFactory.getPlatformMBeanServer()
                            .invoke(
                                    new ObjectName(DIAGNOSTICS),
                                    "gcClassHistogram",
                                    new Object[] {new String[0]},
                                    new String[] {String[].class.getName()});
            String.valueOf(histogram)
                    .lines()
                    .map(line -> line.strip().split("\\s+"))
                    .filter(words -> words.length >= 4 && words[0].endsWith(":"))
                    .forEach(words ->
                            counts.merge(
                                    (OBJECTS + words[3]).intern(),
                                    Long.parseLong(words[1]),
                                    Long::sum));
        } catch (JMException e) {
            System.gc(); // a JVM that counts no objects; the other counts are there
        }
    }
}
