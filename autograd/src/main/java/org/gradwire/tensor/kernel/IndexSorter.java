package org.gradwire.tensor.kernel;

/** Sorts the indices of rows by keys: a stable merge sort from short runs up. */
public final class IndexSorter {
    private static final int RUN = 16;

    private final int length;
    private final int[] order;
    private final int[] merged;

    /** Create a sorter for rows of a length. */
    public IndexSorter(int length) {
        this.length = length;
        this.order = new int[length];
        this.merged = new int[length];
    }

    /** Sort the indices of a row that begins at a position, and write them there. */
    public void sort(long[] keys, int start, long[] indices) {
        for (int run = 0; run < length; run += RUN) {
            insert(keys, start, run, Math.min(run + RUN, length));
        }
        int[] from = order;
        int[] to = merged;
        for (int width = RUN; width < length; width *= 2) {
            for (int left = 0; left < length; left += 2 * width) {
                int middle = Math.min(left + width, length);
                merge(keys, start, from, to, left, middle, Math.min(middle + width, length));
            }
            int[] next = from;
            from = to;
            to = next;
            if (width > Integer.MAX_VALUE / 4) {
                break; // longer than any row
            }
        }
        for (int i = 0; i < length; i++) {
            indices[start + i] = from[i];
        }
    }

    private void insert(long[] keys, int start, int from, int end) {
        for (int i = from; i < end; i++) {
            long key = keys[start + i];
            int at = i;
            while (at > from && keys[start + order[at - 1]] > key) {
                order[at] = order[at - 1];
                at--;
            }
            order[at] = i;
        }
    }

    private static void merge(
            long[] keys, int start, int[] from, int[] to, int left, int middle, int end) {
        int a = left;
        int b = middle;
        for (int i = left; i < end; i++) {
            boolean first =
                    a < middle && (b >= end || keys[start + from[a]] <= keys[start + from[b]]);
            to[i] = first ? from[a++] : from[b++];
        }
    }
}
