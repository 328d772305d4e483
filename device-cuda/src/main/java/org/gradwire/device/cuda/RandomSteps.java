package org.gradwire.device.cuda;

import java.util.Map;

/**
 * The steps of kernels of random numbers, by the counter-based generator Philox4x32-10 (Salmon et
 * al., Parallel random numbers: as easy as 1, 2, 3, 2011). A thread computes a row, whose number is
 * the counter, so that a result depends only on the key. The row of a mask may have four elements,
 * one for each word of the generator; they are apart, so that threads write side by side.
 */
final class RandomSteps {
    /** Draws {@code one} and {@code two}, of 64 bits each; {@code KEY} is an input. */
    static final String PHILOX =
            """
            unsigned words[4] = {row, 0, 0, 0};
            unsigned lower = (unsigned) KEY(0), upper = (unsigned) ((unsigned long long) KEY(0) >> 32);
            for (int round = 0; round < 10; round++) {
                unsigned long long a = 0xD2511F53ull * words[0], b = 0xCD9E8D57ull * words[2];
                unsigned second = words[1], fourth = words[3];
                words[0] = (unsigned) (b >> 32) ^ second ^ lower;
                words[1] = (unsigned) b;
                words[2] = (unsigned) (a >> 32) ^ fourth ^ upper;
                words[3] = (unsigned) a;
                lower += 0x9E3779B9u;
                upper += 0xBB67AE85u;
            }
            unsigned long long one = (unsigned long long) words[1] << 32 | words[0];
            unsigned long long two = (unsigned long long) words[3] << 32 | words[2];
            """;

    private RandomSteps() {}

    static Map<String, RowSteps> all() {
        return Map.of(
                "random_uniform",
                        steps(
                                "KEY:EACH LOW:EACH HIGH:EACH DIGITS:EACH",
                                """
                                C part = N((double) (one >> (64 - DIGITS(0))))
                                    / N((double) (1ull << DIGITS(0)));
                                C drawn = ROUNDED(N(LOW(0)) + (N(HIGH(0)) - N(LOW(0))) * part);
                                EACH(t) { Y(t, drawn < N(HIGH(0)) ? drawn : N(LOW(0))); }
                                """),
                "random_normal",
                        steps(
                                "KEY:EACH MEAN:EACH DEVIATION:EACH",
                                """
                                double part = ((double) (one >> 11) + 1) / (double) (1ull << 53);
                                double angle = (double) (two >> 11) / (double) (1ull << 52);
                                C far = F(sqrt)(N(-2) * F(log)(N(part)));
                                C drawn = far * F(cos)(N(3.14159265358979323846) * N(angle));
                                EACH(t) { Y(t, N(MEAN(0)) + N(DEVIATION(0)) * drawn); }
                                """),
                "random_mask",
                        steps(
                                "KEY:EACH BELOW:EACH KEPT:EACH",
                                """
                                #pragma unroll
                                for (unsigned t = 0; t < 4; t++) {
                                    if (t < n) {
                                        C one_of_four = words[t] < BELOW(0) ? N(0) : N(KEPT(0));
                                        PUT(row + t * (unsigned) rows, one_of_four)
                                    }
                                }
                                """));
    }

    private static RowSteps steps(String inputs, String text) {
        return new RowSteps(RowSteps.inputs(inputs), RowSteps.RESULT, false, true, PHILOX + text);
    }
}
