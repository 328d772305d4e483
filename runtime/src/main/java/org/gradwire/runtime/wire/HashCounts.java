package org.gradwire.runtime.wire;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Counts equal hash codes in an open-addressing table. Slots depend on a random factor, which is
 * unknown to peers that choose hash codes.
 */
final class HashCounts {
    private static final int FIRST_CAPACITY = 4;

    private final int factor = ThreadLocalRandom.current().nextInt() | 1;
    private int[] table = new int[2 * FIRST_CAPACITY]; // a hash code, and its count
    private int used;

    /** {@return how many times a hash code was added} */
    int count(int hash) {
        return table[slot(hash) + 1];
    }

    void add(int hash) {
        int slot = slot(hash);
        if (table[slot + 1]++ == 0) {
            table[slot] = hash;
            if (++used > table.length / 4) {
                grow();
            }
        }
    }

    private int slot(int hash) {
        int mask = table.length - 2;
        int mixed = hash * factor;
        mixed = (mixed ^ mixed >>> 15) * factor;
        int slot = (mixed ^ mixed >>> 13) << 1 & mask;
        while (table[slot + 1] != 0 && table[slot] != hash) {
            slot = slot + 2 & mask;
        }
        return slot;
    }

    private void grow() {
        int[] old = table;
        table = new int[Math.multiplyExact(2, old.length)];
        for (int i = 0; i < old.length; i += 2) {
            if (old[i + 1] != 0) {
                int slot = slot(old[i]);
                table[slot] = old[i];
                table[slot + 1] = old[i + 1];
            }
        }
    }
}
