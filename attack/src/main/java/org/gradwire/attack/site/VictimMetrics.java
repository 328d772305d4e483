package org.gradwire.attack.site;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The resources of a victim.
 *
 * @param heap bytes of live objects, after a full collection
 * @param metaspace bytes of class metadata in use
 * @param resident bytes of memory of the process
 * @param descriptors open file descriptors
 * @param threads of the process
 * @param shared bytes of the media driver's directory
 * @param log bytes of the worker's log
 */
public record VictimMetrics(
        long heap,
        long metaspace,
        long resident,
        long descriptors,
        long threads,
        long shared,
        long log) {

    /** The allowed growth of each metric during an attack. */
    public static final VictimMetrics LIMITS =
            new VictimMetrics(24L << 20, 12L << 20, 768L << 20, 64, 48, 192L << 20, 4L << 20);

    /** {@return the metrics by name, in the order of the report} */
    public Map<String, Long> byName() {
        Map<String, Long> metrics = new LinkedHashMap<>();
        metrics.put("heap", heap);
        metrics.put("metaspace", metaspace);
        metrics.put("resident", resident);
        metrics.put("descriptors", descriptors);
        metrics.put("threads", threads);
        metrics.put("shared", shared);
        metrics.put("log", log);
        return metrics;
    }

    /** {@return the growth of each metric that exceeds its limit, by name} */
    public Map<String, Long> aboveLimits(VictimMetrics before) {
        Map<String, Long> beyond = new LinkedHashMap<>();
        Map<String, Long> earlier = before.byName();
        Map<String, Long> limits = LIMITS.byName();
        byName().forEach((name, value) -> {
            long growth = value - earlier.getOrDefault(name, 0L);
            if (growth > limits.getOrDefault(name, 0L)) {
                beyond.put(name, growth);
            }
        });
        return beyond;
    }
}
