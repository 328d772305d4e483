package org.gradwire.conformance.rules;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What this process holds: live objects of each class, threads, descriptors and native memory; what
 * the machine does not tell is not in it.
 */
final class Footprint {
    private static final String DIAGNOSTICS = "com.sun.management:type=DiagnosticCommand";
    private static final int LEAST_ROUNDS = 5; // which tell a leak from what goes later
    private static final int MOST_ROUNDS = 12;

    /** Of these there are more also when code runs for the first time, and for the store's keys. */
    private static final Set<String> TEXTS =
            Set.of(
                    "objects of [B",
                    "objects of java.lang.String",
                    "objects of java.util.HashMap$Node");

    private static final int OBJECTS_OF_A_KEY = 4;
    private static final String KEYS = "keys of the store";

    private static final long BYTES_EACH = 32;

    private Footprint() {}

    /**
     * Run rounds of the same work until one leaves nothing behind. What a backend lets go of some
     * time later may take as long as it takes to notice that a peer is lost.
     *
     * @param things that each round makes and ends in the same way
     * @throws AssertionError when each round leaves something more
     */
    static void checkFlat(AgentWorld world, Runnable round, int things, String what) {
        long deadline = System.nanoTime() + world.patienceMillis() * 1_000_000;
        round.run(); // caches and pools are filled
        Map<String, Long> before = now(world);
        Map<String, Long> growing = Map.of();
        for (int i = 0; i < MOST_ROUNDS; i++) {
            round.run();
            Map<String, Long> grown = new TreeMap<>(growthAtLast(world, before, things));
            if (i > 0) {
                grown.keySet().retainAll(growing.keySet());
            }
            if (grown.isEmpty()) {
                return;
            }
            growing = grown;
            if (i + 1 >= LEAST_ROUNDS) {
                if (!TEXTS.containsAll(grown.keySet())) {
                    break;
                }
                if (System.nanoTime() > deadline) {
                    return; // of a slow backend texts alone say nothing
                }
            }
            before = now(world);
        }
        throw new AssertionError(
                "each time that %s, the process holds more, at last by %s"
                        .formatted(what, growing));
    }

    private static Map<String, Long> growthAtLast(
            AgentWorld world, Map<String, Long> before, int things) {
        long deadline = System.nanoTime() + world.backend().livenessTime().toNanos();
        while (true) {
            Map<String, Long> grown = growth(before, now(world), things);
            if (grown.isEmpty() || System.nanoTime() > deadline) {
                return grown;
            }
        }
    }

    private static Map<String, Long> growth(
            Map<String, Long> before, Map<String, Long> after, int things) {
        Map<String, Long> grown = new TreeMap<>();
        long keys = after.getOrDefault(KEYS, 0L) - before.getOrDefault(KEYS, 0L);
        after.forEach((name, count) -> {
            long more = count - before.getOrDefault(name, 0L);
            long least = name.startsWith("bytes of") ? things * BYTES_EACH : things;
            if (TEXTS.contains(name)) {
                least += OBJECTS_OF_A_KEY * keys;
            }
            if (more >= least && !name.equals(KEYS)) {
                grown.put(name, more);
            }
        });
        return grown;
    }

    private static Map<String, Long> now(AgentWorld world) {
        Map<String, Long> counts = new HashMap<>();
        addObjects(counts);
        counts.put(KEYS, (long) world.store().size());
        counts.put("threads", (long) ManagementFactory.getThreadMXBean().getThreadCount());
        counts.put("descriptors", descriptors());
        for (var pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            counts.put("bytes of " + pool.getName() + " memory", pool.getMemoryUsed());
        }
        return counts;
    }

    /** {@return how many descriptors this process has open, where the system tells; else 0} */
    static long descriptors() {
        Path folder = Path.of("/proc/self/fd");
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        try (Stream<Path> open = Files.list(folder)) {
            return open.count();
        } catch (IOException e) {
            return 0; // one was closed meanwhile
        }
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
                                    "objects of " + words[3], Long.parseLong(words[1]), Long::sum));
        } catch (JMException e) {
            System.gc(); // a JVM that counts no objects; the other figures are there
        }
    }
}
