package org.gradwire.device.cuda;

import java.util.Map;

/**
 * The steps of kernels that sort rows of {@code SIZE}, by merging sorted runs. What is sorted are
 * numbers of int64 made of a key of 32 bits and the place in the row, so no two are equal, and
 * equal keys keep their order. A block sorts a tile of n numbers, up to 1024, or merges one of
 * 2048.
 */
final class SortSteps {
    // A row of the kernel is a tile of one that is sorted.
    static final String TILE =
            """
            unsigned all = (unsigned) SIZE(0), tiles_of_row = (all + n - 1) / n;
            unsigned line = row / tiles_of_row, start = row % tiles_of_row * n, begin = line * all;
            """;

    // What is sorted for a place in the row.
    static final String NUMBER =
            """
            auto number_of = [&](unsigned t) {
                long long place = ORDER(begin + t);
                auto v = X(begin + (place < 0 ? t : (unsigned) place));
                long long key = key_of(v) ^ FLIP(0);
                if (sizeof(v) == 8) { key = HALF(0) ? key >> 32 : key ^ 0x80000000; }
                return (long long) ((unsigned long long) key << 32 | t);
            };
            """;

    // A bitonic sort; numbers that are higher than any fill the last tile of a row.
    private static final String SORT =
            TILE
                    + NUMBER
                    + """
                    __shared__ long long part[1024];
                    long long* mine = part + threadIdx.y * n;
                    __syncthreads();
                    EACH(t) { mine[t] = start + t < all ? number_of(start + t) : 0x7fffffffffffffff; }
                    __syncthreads();
                    for (unsigned run = 2; run <= n; run *= 2) {
                        for (unsigned apart = run / 2; apart > 0; apart /= 2) {
                            for (unsigned i = threadIdx.x; i < n / 2; i += blockDim.x) {
                                unsigned low = 2 * i - (i & (apart - 1)), high = low + apart;
                                long long a = mine[low], b = mine[high];
                                if ((a > b) == ((low & run) == 0)) {
                                    mine[low] = b;
                                    mine[high] = a;
                                }
                            }
                            __syncthreads();
                        }
                    }
                    EACH(t) {
                        if (start + t < TAKEN(0)) {
                            PUT(line * (unsigned) TAKEN(0) + start + t, mine[t] & MASK(0));
                        }
                    }
                    """;

    // Two runs of WIDTH, of which the last of a row may be shorter, and a part of their merger.
    private static final String RUNS =
            """
            unsigned all = (unsigned) SIZE(0), run = (unsigned) WIDTH(0);
            unsigned tiles_of_row = (all + PART - 1) / PART, line = row / tiles_of_row;
            unsigned out = row % tiles_of_row * PART, begin = out / (2 * run) * (2 * run);
            unsigned middle = min(begin + run, all), end = min(begin + 2 * run, all);
            unsigned diagonal = out - begin;
            """;

    // Of as many numbers as come before the tile, how many are of the first run.
    private static final String SPLIT =
            RUNS.replace("PART", "(unsigned) TILE(0)")
                    + """
                    unsigned first_run = line * all + begin, second_run = line * all + middle;
                    unsigned low = diagonal > end - middle ? diagonal - (end - middle) : 0;
                    unsigned high = min(diagonal, middle - begin);
                    while (low < high) {
                        unsigned half = (low + high) / 2;
                        if (X(first_run + half) < X(second_run + diagonal - 1 - half)) {
                            low = half + 1;
                        } else {
                            high = half;
                        }
                    }
                    PUT(row, low)
                    """;

    // Each thread merges eight numbers, from where it finds the split before them. In shared memory
    // a place is left out after eight, so that threads read different banks.
    private static final String MERGE =
            RUNS.replace("PART", "n")
                    + """
                    __shared__ long long part[2048 + 2048 / 8];
                    #define SLOT(i) part[(i) + (i) / 8]
                    if (diagonal < NEEDED(0)) {
                        unsigned count = min(n, end - out), from = (unsigned) SPLITS(row);
                        unsigned upto =
                            out + count == end ? middle - begin : (unsigned) SPLITS(row + 1);
                        unsigned firsts = upto - from, seconds = count - firsts;
                        unsigned left = line * all + begin + from;
                        unsigned right = line * all + middle + diagonal - from;
                        __syncthreads();
                        EACH(t) {
                            if (t < count) { SLOT(t) = X(t < firsts ? left + t : right + t - firsts); }
                        }
                        __syncthreads();
                        unsigned place = min(threadIdx.x * 8, count);
                        unsigned low = place > seconds ? place - seconds : 0;
                        unsigned high = min(place, firsts);
                        while (low < high) {
                            unsigned half = (low + high) / 2;
                            if (SLOT(half) < SLOT(firsts + place - 1 - half)) {
                                low = half + 1;
                            } else {
                                high = half;
                            }
                        }
                        unsigned a = low, b = place - low;
                        long long merged[8];
                        for (unsigned k = 0; k < 8; k++) {
                            if (place + k < count) {
                                bool is_first =
                                    b >= seconds || (a < firsts && SLOT(a) < SLOT(firsts + b));
                                merged[k] = is_first ? SLOT(a) : SLOT(firsts + b);
                                if (is_first) { a++; } else { b++; }
                            }
                        }
                        __syncthreads();
                        for (unsigned k = 0; k < 8; k++) {
                            if (place + k < count) { SLOT(place + k) = merged[k]; }
                        }
                        __syncthreads();
                        EACH(t) {
                            if (t < count && out + t < TAKEN(0)) {
                                PUT(line * (unsigned) TAKEN(0) + out + t, SLOT(t) & MASK(0))
                            }
                        }
                    }
                    """;

    private SortSteps() {}

    static Map<String, RowSteps> all() {
        return Map.of(
                "sort_tiles",
                steps(
                        "X:ANY ORDER:ANY TILES:EACH HALF:EACH FLIP:EACH SIZE:EACH TAKEN:EACH MASK:EACH",
                        2,
                        SORT),
                "merge_splits",
                new RowSteps(
                        RowSteps.inputs("X:ANY SIZE:EACH WIDTH:EACH TILE:EACH"),
                        RowSteps.RESULT,
                        true,
                        true,
                        SPLIT),
                "merge_tiles",
                steps(
                        "X:ANY SPLITS:ANY SIZE:EACH WIDTH:EACH NEEDED:EACH TAKEN:EACH MASK:EACH",
                        1,
                        MERGE),
                "put",
                steps(
                        "X:EACH INDEX:EACH TAKEN:EACH SIZE:EACH",
                        1,
                        "PUT(row / (unsigned) TAKEN(0) * (unsigned) SIZE(0) + (unsigned) INDEX(0), X(0));\n"));
    }

    private static RowSteps steps(String inputs, int rowsOf, String text) {
        return new RowSteps(RowSteps.inputs(inputs), rowsOf, true, text);
    }
}
