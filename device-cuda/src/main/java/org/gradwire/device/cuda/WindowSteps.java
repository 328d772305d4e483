package org.gradwire.device.cuda;

import java.util.Map;

/**
 * The steps of kernels over the windows of images: patches for convolutions, and pooling. A row is
 * a plane of the result. The kernels of gradients add in a fixed order: each element of an image
 * looks for the windows that cover it.
 */
final class WindowSteps {
    /** The numbers that describe the windows, see {@code DeviceKernels}. */
    private static final String WINDOWS =
            " H:EACH W:EACH OH:EACH OW:EACH KH:EACH KW:EACH SH:EACH SW:EACH PH:EACH PW:EACH"
                    + " DH:EACH DW:EACH";

    private static final String SIZES =
            """
            const int height = H(0), width = W(0), columns = OW(0), windows = OH(0) * OW(0);
            const int tall = KH(0), wide = KW(0), down_step = SH(0), step = SW(0);
            const int above = PH(0), before = PW(0), down_gap = DH(0), gap = DW(0), lines = OH(0);
            """;

    // Windows that have this pixel at line i and place j of the kernel; LOOK uses their number.
    private static final String COVERING =
            """
            EACH(t) {
                int line = (int) (t / (unsigned) width), place = (int) (t % (unsigned) width);
                C total = N(0);
                for (int i = 0; i < tall; i++) {
                    int down = line + above - i * down_gap;
                    int above_it = down / down_step;
                    if (down < 0 || down != above_it * down_step || above_it >= lines) { continue; }
                    for (int j = 0; j < wide; j++) {
                        int along = place + before - j * gap;
                        int left_of_it = along / step;
                        if (along < 0 || along != left_of_it * step || left_of_it >= columns) {
                            continue;
                        }
                        unsigned window = above_it * columns + left_of_it;
                        LOOK
                    }
                }
                Y(t, total);
            }
            """;

    // The extent of window i along an axis, and its part inside of the image.
    private static final String AVERAGES =
            """
            struct Extent { int from, to, size; };
            auto extent = [&](int i, int length, int count, int kernel, int by, int padding) {
                int from, to;
                if (ADAPTIVE(0)) {
                    from = (int) ((long long) i * length / count);
                    to = (int) (((i + 1ll) * length + count - 1) / count);
                } else {
                    from = i * by - padding;
                    to = min(from + kernel, length + padding);
                }
                int size = to - from;
                from = max(from, 0);
                to = min(to, length);
                return Extent {from, to, COUNTED(0) ? size : to - from};
            };
            auto rows_of = [&](int i) {
                return extent(i, height, lines, tall, down_step, above);
            };
            auto columns_of = [&](int j) {
                return extent(j, width, columns, wide, step, before);
            };
            auto share = [&](const Extent& a, const Extent& b) {
                return N(DIVISOR(0) != 0 ? DIVISOR(0) : max(a.size * b.size, 1));
            };
            """;

    private WindowSteps() {}

    static Map<String, RowSteps> all() {
        return Map.of(
                "patches", patches(),
                "patches_gradient", covering("G:ANY", sumOfPatches()),
                "max_pool_index", largest(),
                "max_pool", atIndex(),
                "max_pool_gradient",
                        covering(
                                "G:ANY INDEX:ANY",
                                """
                                unsigned from = row * (unsigned) windows + window;
                                if (INDEX(from) == t) { total += G(from); }
                                """),
                "average_pool", average(),
                "average_pool_gradient", averageGradient());
    }

    private static RowSteps steps(String inputs, boolean wholeNumbers, String text) {
        return new RowSteps(RowSteps.inputs(inputs), RowSteps.RESULT, wholeNumbers, text);
    }

    private static RowSteps patches() {
        return steps(
                "X:ANY" + WINDOWS,
                false,
                SIZES
                        + """
                        int j = row % wide, i = row / wide % tall;
                        unsigned plane = row / (unsigned) (wide * tall) * (height * width);
                        EACH(t) {
                            int window = t / columns;
                            int line = window * down_step - above + i * down_gap;
                            int place = ((int) t - window * columns) * step - before + j * gap;
                            bool inside = line >= 0 && line < height && place >= 0 && place < width;
                            unsigned from = inside ? plane + line * width + place : 0;
                            Y(t, inside ? X(from) : N(0));
                        }
                        """);
    }

    private static String sumOfPatches() {
        return "total += G(((row * tall + i) * wide + j) * windows + window);\n";
    }

    private static RowSteps covering(String inputs, String look) {
        return steps(inputs + WINDOWS, false, SIZES + COVERING.replace("LOOK", look));
    }

    /** The first of equal numbers, but the last NaN; -1 for a window outside of the image. */
    private static RowSteps largest() {
        return steps(
                "X:ANY" + WINDOWS,
                true,
                SIZES
                        + """
                        EACH(t) {
                            int top = (int) (t / columns) * down_step - above;
                            int left = (int) (t % columns) * step - before;
                            int best = -1;
                            auto most = X(0);
                            for (int i = 0; i < tall; i++) {
                                int line = top + i * down_gap;
                                if (line < 0 || line >= height) { continue; }
                                for (int j = 0; j < wide; j++) {
                                    int place = left + j * gap;
                                    if (place < 0 || place >= width) { continue; }
                                    int here = line * width + place;
                                    auto next = X(row * (unsigned) (height * width) + here);
                                    if (best < 0 || next > most || next != next) {
                                        best = here;
                                        most = next;
                                    }
                                }
                            }
                            Y(t, best);
                        }
                        """);
    }

    private static RowSteps atIndex() {
        return steps(
                "X:ANY INDEX:ROW SIZE:EACH",
                false,
                """
                EACH(t) {
                    long long from = INDEX(t);
                    unsigned place = from < 0 ? 0 : row * (unsigned) SIZE(0) + (unsigned) from;
                    Y(t, from < 0 ? -INFINITE : X(place));
                }
                """);
    }

    private static RowSteps average() {
        return steps(
                "X:ANY" + WINDOWS + " ADAPTIVE:EACH COUNTED:EACH DIVISOR:EACH",
                false,
                SIZES
                        + AVERAGES
                        + """
                        EACH(t) {
                            Extent down = rows_of(t / columns), along = columns_of(t % columns);
                            C total = N(0);
                            for (int line = down.from; line < down.to; line++) {
                                for (int place = along.from; place < along.to; place++) {
                                    unsigned from = (row * height + line) * width + place;
                                    total += X(from);
                                }
                            }
                            Y(t, total / share(down, along));
                        }
                        """);
    }

    private static RowSteps averageGradient() {
        return steps(
                "G:ANY" + WINDOWS + " ADAPTIVE:EACH COUNTED:EACH DIVISOR:EACH",
                false,
                SIZES
                        + AVERAGES
                        + """
                        auto lowest = [&](int at, int length, int count, int kernel, int by,
                                int padding) {
                            return ADAPTIVE(0)
                                ? (int) ((long long) at * count / length)
                                : max(0, at + padding - kernel + by) / by;
                        };
                        auto highest = [&](int at, int length, int count, int by, int padding) {
                            int end = ADAPTIVE(0)
                                ? (int) (((at + 1ll) * count + length - 1) / length) - 1
                                : (at + padding) / by;
                            return min(end, count - 1);
                        };
                        EACH(t) {
                            int line = t / width, place = t % width;
                            C total = N(0);
                            int top = lowest(line, height, lines, tall, down_step, above);
                            int bottom = highest(line, height, lines, down_step, above);
                            int left = lowest(place, width, columns, wide, step, before);
                            int right = highest(place, width, columns, step, before);
                            for (int i = top; i <= bottom; i++) {
                                for (int j = left; j <= right; j++) {
                                    unsigned from = row * windows + i * columns + j;
                                    total += G(from) / share(rows_of(i), columns_of(j));
                                }
                            }
                            Y(t, total);
                        }
                        """);
    }
}
