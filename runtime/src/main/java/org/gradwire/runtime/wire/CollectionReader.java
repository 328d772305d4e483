package org.gradwire.runtime.wire;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Decodes lists, sets and maps, within the budget of their message. */
final class CollectionReader {
    private static final int SLOT_BYTES = 8; // in a list, with its spare capacity
    private static final int ENTRY_BYTES = 52; // in a hash table, with its slot

    private CollectionReader() {}

    static List<@Nullable Object> readList(WireInput in) {
        int count = in.readCount(in.remaining());
        in.budget().allocate((long) SLOT_BYTES * count);
        var list = new ArrayList<@Nullable Object>();
        for (int i = 0; i < count; i++) {
            list.add(in.readValue());
        }
        return list;
    }

    static Set<@Nullable Object> readSet(WireInput in) {
        int count = in.readCount(in.remaining());
        in.budget().allocate((long) ENTRY_BYTES * count);
        var set = new LinkedHashSet<@Nullable Object>();
        var keys = new KeyBudget(in.budget(), set);
        for (int i = 0; i < count; i++) {
            if (set.add(readKey(keys, in))) {
                keys.inserted();
            }
        }
        return set;
    }

    static Map<@Nullable Object, @Nullable Object> readMap(WireInput in) {
        int count = in.readCount(in.remaining());
        in.budget().allocate((long) ENTRY_BYTES * count);
        var map = new LinkedHashMap<@Nullable Object, @Nullable Object>();
        var keys = new KeyBudget(in.budget(), map.keySet());
        for (int i = 0; i < count; i++) {
            Object key = readKey(keys, in);
            Object value = in.readValue();
            int size = map.size();
            map.put(key, value);
            if (map.size() > size) {
                keys.inserted();
            }
        }
        return map;
    }

    private static @Nullable Object readKey(KeyBudget keys, WireInput in) {
        int before = in.remaining();
        long work = in.budget().comparisonWork();
        Object key = in.readValue();
        keys.insert(key, before - in.remaining(), work);
        return key;
    }
}
