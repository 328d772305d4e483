package org.gradwire.device.cuda;

import java.util.Map;

/**
 * The steps of kernels that sort rows of {@code SIZE} by radix: the numbers of {@link SortSteps},
 * by 8 bits of their keys after the other, from the lowest. A block of 256 threads has a tile of n
 * numbers, up to 4096. Each warp has an eighth of it, and its lanes have adjacent numbers, so that
 * ranks in the order of lanes, of their numbers and of warps keep the order of equal digits.
 */
final class RadixSteps {
    // With the sign's bit flipped, the order of the numbers is that of their digits.
    private static final String OF_ELEMENT =
            SortSteps.NUMBER
                    + """
                    auto number_at = [&](unsigned t) {
                        return (unsigned long long) number_of(t) ^ 0x8000000000000000;
                    };
                    """;

    private static final String OF_NUMBER =
            "auto number_at = [&](unsigned t) { return (unsigned long long) X(begin + t); };\n";

    private static final String DIGIT =
            """
            #define DIGIT(number) ((unsigned) ((number) >> (32 + shift)) & 255)
            """;

    // Numbers after the last of a row have the highest digits, and come after all others.
    private static final String NUMBERS =
            """
            unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, items = n / 256;
            unsigned first_of_warp = warp * (n / 8) + lane, count = min(n, all - start);
            unsigned long long numbers[16];
            #pragma unroll
            for (unsigned k = 0; k < 16; k++) {
                unsigned t = first_of_warp + k * 32;
                numbers[k] = 0xffffffffffffffff;
                if (k < items && t < count) { numbers[k] = number_at(start + t); }
            }
            """;

    // The tile in the order of a digit. A warp finds the lanes that have the same digit by votes;
    // the first of them counts all.
    private static final String RANKS =
            """
            for (unsigned i = threadIdx.x; i < 8 * 256; i += blockDim.x) { seen[i] = 0; }
            __syncthreads();
            unsigned* mine = seen + warp * 256;
            unsigned ranks[16];
            #pragma unroll
            for (unsigned k = 0; k < 16; k++) {
                if (k < items) {
                    unsigned digit = DIGIT(numbers[k]), peers = 0xffffffff;
                    #pragma unroll
                    for (unsigned bit = 0; bit < 8; bit++) {
                        unsigned one = digit >> bit & 1;
                        unsigned ones = __ballot_sync(0xffffffff, one);
                        peers &= one ? ones : ~ones;
                    }
                    unsigned below = __popc(peers & ((1u << lane) - 1)), before = mine[digit];
                    __syncwarp();
                    if (below == 0) { mine[digit] = before + __popc(peers); }
                    __syncwarp();
                    ranks[k] = before + below;
                }
            }
            __syncthreads();
            unsigned of_digit = 0, of_all;
            for (unsigned i = threadIdx.x; i < 8 * 256; i += 256) {
                unsigned of_warp = seen[i];
                seen[i] = of_digit;
                of_digit += of_warp;
            }
            unsigned start_of_digit = preceding(of_digit, of_all, plus, 0u);
            for (unsigned i = threadIdx.x; i < 8 * 256; i += 256) { seen[i] += start_of_digit; }
            __syncthreads();
            #pragma unroll
            for (unsigned k = 0; k < 16; k++) {
                if (k < items) { sorted[mine[DIGIT(numbers[k])] + ranks[k]] = numbers[k]; }
            }
            """;

    private static final String SHARED =
            """
            __shared__ unsigned long long sorted[4096];
            __shared__ unsigned seen[8 * 256]; // of each digit, by warps
            auto plus = [](unsigned x, unsigned y) { return x + y; };
            """;

    private static final String COUNTS =
            """
            __shared__ unsigned seen[8 * 256];
            unsigned shift = (unsigned) FIRST_BIT(0);
            __syncthreads();
            for (unsigned i = threadIdx.x; i < 8 * 256; i += blockDim.x) { seen[i] = 0; }
            __syncthreads();
            #pragma unroll
            for (unsigned k = 0; k < 16; k++) {
                if (k < items && first_of_warp + k * 32 < count) {
                    atomicAdd(&seen[warp * 256 + DIGIT(numbers[k])], 1u);
                }
            }
            __syncthreads();
            unsigned of_digit = 0;
            for (unsigned i = threadIdx.x; i < 8 * 256; i += 256) { of_digit += seen[i]; }
            PUT((line * 256 + threadIdx.x) * tiles_of_row + row % tiles_of_row, (int) of_digit)
            """;

    // Of each digit of a row, how many are in the tiles before each, and in all.
    private static final String OFFSETS =
            """
            auto plus = [](C x, C y) { return x + y; };
            unsigned to = row * (n + 1);
            C before = 0;
            for (unsigned first = 0; first < n; first += blockDim.x * 4) {
                C upto[4], mine = 0, all;
                for (unsigned k = 0; k < 4; k++) {
                    unsigned t = first + threadIdx.x * 4 + k;
                    upto[k] = mine;
                    if (t < n) { mine += X(row * n + t); }
                }
                C start = before + preceding(mine, all, plus, (C) 0);
                for (unsigned k = 0; k < 4; k++) {
                    unsigned t = first + threadIdx.x * 4 + k;
                    if (t < n) { PUT(to + t, start + upto[k]) }
                }
                before += all;
            }
            if (threadIdx.x == 0) { PUT(to + n, before) }
            """;

    // Numbers of a digit go to adjacent places, so they are put in the order of the tile.
    private static final String PLACES =
            "__shared__ unsigned target[256];\nunsigned shift = (unsigned) FIRST_BIT(0);\n"
                    + RANKS
                    + """
                    unsigned offset = (line * 256 + threadIdx.x) * (tiles_of_row + 1);
                    unsigned of_row = (unsigned) OFFSETS(offset + tiles_of_row);
                    target[threadIdx.x] = preceding(of_row, of_all, plus, 0u)
                        + (unsigned) OFFSETS(offset + row % tiles_of_row) - start_of_digit;
                    __syncthreads();
                    EACH(t) {
                        if (t < count) {
                            unsigned long long number = sorted[t];
                            unsigned place = target[DIGIT(number)] + t;
                            if (place < TAKEN(0)) {
                                PUT(line * (unsigned) TAKEN(0) + place, (long long) number & MASK(0))
                            }
                        }
                    }
                    """;

    private static final String TILE =
            "for (unsigned shift = (unsigned) LOWEST(0); shift < HIGHEST(0); shift += 8) {\n"
                    + RANKS
                    + """
                        __syncthreads();
                        #pragma unroll
                        for (unsigned k = 0; k < 16; k++) {
                            if (k < items) { numbers[k] = sorted[first_of_warp + k * 32]; }
                        }
                    }
                    __syncthreads();
                    EACH(t) {
                        if (t < count && start + t < TAKEN(0)) {
                            long long number = (long long) (sorted[t] ^ 0x8000000000000000);
                            PUT(line * (unsigned) TAKEN(0) + start + t, number & MASK(0))
                        }
                    }
                    """;

    private RadixSteps() {}

    static Map<String, RowSteps> all() {
        String element = "X:ANY ORDER:ANY TILES:EACH HALF:EACH FLIP:EACH SIZE:EACH ";
        String number = "X:ANY TILES:EACH SIZE:EACH ";
        String ofElement = SortSteps.TILE + OF_ELEMENT + DIGIT + NUMBERS;
        String ofNumber = SortSteps.TILE + OF_NUMBER + DIGIT + NUMBERS;
        String places = "OFFSETS:ANY FIRST_BIT:EACH TAKEN:EACH MASK:EACH";
        return Map.of(
                "radix_tiles",
                        steps(
                                element + "LOWEST:EACH HIGHEST:EACH TAKEN:EACH MASK:EACH",
                                2,
                                SHARED + ofElement + TILE),
                "radix_first_counts", steps(element + "FIRST_BIT:EACH", 2, ofElement + COUNTS),
                "radix_counts", steps(number + "FIRST_BIT:EACH", 1, ofNumber + COUNTS),
                "radix_offsets", steps("X:ANY LINES:EACH", 1, OFFSETS),
                "radix_first_places", steps(element + places, 2, SHARED + ofElement + PLACES),
                "radix_places", steps(number + places, 1, SHARED + ofNumber + PLACES));
    }

    private static RowSteps steps(String inputs, int rowsOf, String text) {
        return new RowSteps(RowSteps.inputs(inputs), rowsOf, true, text);
    }
}
