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
 * Counts of the resources that this process holds: live objects of each class, threads, file
 * descriptors, bytes of direct and mapped buffers, and keys of a store. Memory of manually closed
 * arenas is not counted. Resources that the system or the JVM does not report are missing and not
 * compared.
 *
 * @param counts counts by resource
 */
public record ResourceCounts(Map<String, Long> counts) {
    /** Key of the number of threads. */
    public static final String THREADS = "threads";

    /** Key of the number of open file descriptors. */
    public static final String DESCRIPTORS = "descriptors";

    /**
     * Key of the number of keys in the group's store, which {@link #growthSince} does not report.
     */
    public static final String STORE_KEYS = "keys of the store";

    private static final String OBJECTS = "objects of ";
    private static final String BYTES = "bytes of ";

    /**
     * Classes of which more objects appear when code runs for the first time, or with a store's
     * keys.
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

    /** Copy the counts. */
    public ResourceCounts {
        counts = Map.copyOf(counts);
    }

    /**
     * Run the garbage collector and count the resources of this process, with a number of store
     * keys.
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

    /** {@return the number of open file descriptors; empty if the system does not report it} */
    public static OptionalLong descriptors() {
        return filesIn(OPEN_DESCRIPTORS);
    }

    /** {@return the number of files in a folder; empty if it cannot be read} */
    public static OptionalLong filesIn(Path folder) {
        for (int i = 0; i < ATTEMPTS; i++) {
            try (Stream<Path> files = Files.list(folder)) {
                return OptionalLong.of(files.count());
            } catch (IOException | UncheckedIOException _) {
                // a file was removed meanwhile, or the folder does not exist
            }
        }
        return OptionalLong.empty();
    }

    /**
     * Compare with earlier counts.
     *
     * @param things number of calls or members since then
     * @return growth of each resource that has grown by at least one, or 32 bytes, for each thing,
     *     and for {@link #TEXTS} by 32 more; resources that are missing in either count are left
     *     out
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

    /** A missing class has no objects; any other missing count is unknown. */
    private long unmentioned(String name, long countNow) {
        boolean hasObjects = counts.keySet().stream().anyMatch(key -> key.startsWith(OBJECTS));
        return name.startsWith(OBJECTS) && hasObjects ? 0 : countNow;
    }

    /**
     * Run the garbage collector and parse the class histogram: rank, instances, bytes and class of
     * each line.
     */
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
            System.gc(); // a JVM without a class histogram; the other counts remain
        }
    }
}
