package org.gradwire.autograd.distributed;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The ids of released contexts, as ranges: a worker that takes part in all contexts of another one
 * keeps a single range for it, regardless of their number. Not thread-safe.
 *
 * <p>Above the limit of ranges, the lowest range of the creator with the most ranges is forgotten.
 */
final class ReleasedContextIds {
    private final int mostRanges;
    private final Map<Integer, TreeMap<Long, Long>> byCreator = new HashMap<>(); // last by first id
    private int ranges;

    ReleasedContextIds(int mostRanges) {
        this.mostRanges = mostRanges;
    }

    boolean contains(long id) {
        TreeMap<Long, Long> lasts = byCreator.get(GlobalIds.creator(id));
        Map.Entry<Long, Long> range = lasts == null ? null : lasts.floorEntry(id);
        return range != null && id <= range.getValue();
    }

    void add(long id) {
        if (contains(id)) {
            return;
        }
        TreeMap<Long, Long> lasts =
                byCreator.computeIfAbsent(GlobalIds.creator(id), _ -> new TreeMap<>());
        int before = lasts.size();
        Map.Entry<Long, Long> below = lasts.lowerEntry(id);
        Long lastAbove = lasts.remove(id + 1);
        boolean touches = below != null && below.getValue() == id - 1;
        lasts.put(touches ? below.getKey() : id, lastAbove == null ? id : lastAbove);
        ranges += lasts.size() - before;
        forgetBeyondMost();
    }

    /** Add an id and all lower ones of its creator. */
    void addUpTo(long id) {
        int creator = GlobalIds.creator(id);
        TreeMap<Long, Long> lasts = byCreator.computeIfAbsent(creator, _ -> new TreeMap<>());
        ranges -= lasts.size();
        Map.Entry<Long, Long> highest = lasts.floorEntry(id);
        long last = highest == null ? id : Math.max(id, highest.getValue());
        lasts.headMap(id, true).clear();
        Long lastAbove = lasts.remove(last + 1);
        lasts.put(GlobalIds.first(creator), lastAbove == null ? last : lastAbove);
        ranges += lasts.size();
        forgetBeyondMost();
    }

    /** {@return the highest id of a creator that was added, or the lowest one that it can have} */
    long highest(int creator) {
        TreeMap<Long, Long> lasts = byCreator.get(creator);
        return lasts == null || lasts.isEmpty()
                ? GlobalIds.first(creator)
                : lasts.lastEntry().getValue();
    }

    private void forgetBeyondMost() {
        if (ranges > mostRanges) {
            byCreator.values().stream()
                    .max(Comparator.comparingInt(TreeMap::size))
                    .orElseThrow()
                    .pollFirstEntry();
            ranges--;
        }
    }

    /** {@return the number of ranges that are kept} */
    int ranges() {
        return ranges;
    }
}
