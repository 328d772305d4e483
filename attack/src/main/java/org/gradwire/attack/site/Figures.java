package org.gradwire.attack.site;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a victim holds.
 *
 * @param heap bytes of live objects, after a full collection
 * @param metaspace bytes of class metadata in use
 * @param resident bytes of memory of the process
 * @param descriptors that are open
 * @param threads of the process
 * @param shared bytes of the media driver's directory
 * @param log bytes of the worker's log
 */
public record Figures(
        long heap,
        long metaspace,
        long resident,
        long descriptors,
        long threads,
        long shared,
        long log) {

    /** How much more each may be after an attack than before. */
    public static final Figures LIMITS =
            new Figures(24L << 20, 12L << 20, 768L << 20, 64, 48, 192L << 20, 4L << 20);

    /** {@return the figures by name, in the order of the report} */
    public Map<String, Long> byName() {
        Map<String, Long> figures = new LinkedHashMap<>();
        figures.put("heap", heap);
        figures.put("metaspace", metaspace);
        figures.put("resident", resident);
        figures.put("descriptors", descriptors);
        figures.put("threads", threads);
        figures.put("shared", shared);
        figures.put("log", log);
        return figures;
    }

    /** {@return the growth of each figure that has grown beyond its limit, by name} */
    public Map<String, Long> beyondLimits(Figures before) {
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
