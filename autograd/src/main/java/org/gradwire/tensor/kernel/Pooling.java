package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.BlockWriter;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;

import java.util.Arrays;

/** Pooling over windows of image planes. Planes are computed in float64, one at a time. */
public final class Pooling {

    private Pooling() {}

    /**
     * The windows along one axis.
     *
     * @param start first position of each that lies inside
     * @param end the one after the last that lies inside
     * @param size how many positions each counts for
     * @param step from one position to the next
     * @param extent of the axis
     */
    public record Axis(int[] start, int[] end, int[] size, int step, int extent) {

        /** {@return sliding windows with a fixed stride} */
        public static Axis sliding(
                int extent, int kernel, int stride, int padding, int dilation, int count) {
            var axis = new Axis(new int[count], new int[count], new int[count], dilation, extent);
            for (int i = 0; i < count; i++) {
                int first = i * stride - padding;
                int skipped = first < 0 ? (-first + dilation - 1) / dilation : 0;
                axis.start[i] = first + skipped * dilation;
                axis.end[i] = Math.min(first + (kernel - 1) * dilation + 1, extent);
                axis.size[i] = Math.min(first + kernel, extent + padding) - first;
            }
            return axis;
        }

        /** {@return adaptive windows, which divide an axis as evenly as possible} */
        public static Axis sharing(int extent, int count) {
            var axis = new Axis(new int[count], new int[count], new int[count], 1, extent);
            for (int i = 0; i < count; i++) {
                axis.start[i] = (int) ((long) i * extent / count);
                axis.end[i] = (int) (((i + 1L) * extent + count - 1) / count);
                axis.size[i] = axis.end[i] - axis.start[i];
            }
            return axis;
        }

        /** {@return the same windows, counting only positions that lie inside} */
        public Axis inside() {
            int[] inside = new int[start.length];
            Arrays.setAll(inside, i -> end[i] - start[i]);
            return new Axis(start, end, inside, step, extent);
        }

        /** {@return the number of windows} */
        public int count() {
            return start.length;
        }
    }

    /** An operation on one plane of the input and one of the output. */
    private interface PlaneStep {
        void apply(int plane, double[] from, double[] to);
    }

    private static <A> void planes(
            Elements<A> elements, Strided x, int size, Strided y, int newSize, PlaneStep step) {
        var reader = new BlockReader<>(elements, x, size);
        var writer = new BlockWriter<>(elements, y, newSize);
        double[] from = new double[size];
        double[] to = new double[newSize];
        int planes = newSize == 0 ? 0 : y.count() / newSize;
        for (int plane = 0; plane < planes; plane++) {
            reader.load(plane * size, size);
            Conversions.convert(reader.array(), reader.offset(), from, 0, size);
            step.apply(plane, from, to);
            int start = plane * newSize;
            Conversions.convert(to, 0, writer.array(), writer.offset(start), newSize);
            writer.store(start, newSize);
        }
    }

    /**
     * Write the largest number of each window.
     *
     * @param positions receives the index of each in its plane: the first of equal ones, but the
     *     last NaN; -1 for a window entirely outside
     */
    public static <A> void maximum(
            Elements<A> elements, Strided x, Axis rows, Axis columns, Strided y, int[] positions) {
        int size = rows.extent * columns.extent;
        int newSize = rows.count() * columns.count();
        planes(
                elements,
                x,
                size,
                y,
                newSize,
                (plane, from, to) -> {
                    int next = 0;
                    for (int i = 0; i < rows.count(); i++) {
                        for (int j = 0; j < columns.count(); j++, next++) {
                            int best = largest(from, rows, i, columns, j);
                            to[next] = best < 0 ? Double.NEGATIVE_INFINITY : from[best];
                            positions[plane * newSize + next] = best;
                        }
                    }
                });
    }

    @SuppressWarnings("ShortCircuitBoolean") // a second branch would be mispredicted
    private static int largest(double[] plane, Axis rows, int i, Axis columns, int j) {
        int width = columns.extent;
        int first = columns.start[j];
        int end = columns.end[j];
        boolean empty = rows.start[i] >= rows.end[i] || first >= end;
        int best = empty ? -1 : rows.start[i] * width + first;
        double max = Double.NEGATIVE_INFINITY;
        for (int row = rows.start[i]; row < rows.end[i]; row += rows.step) {
            for (int at = row * width + first; at < row * width + end; at += columns.step) {
                double value = plane[at];
                boolean isBetter = value > max | Double.isNaN(value);
                max = isBetter ? value : max;
                best = isBetter ? at : best;
            }
        }
        return best;
    }

    /** Scatter-add a gradient to the positions of {@link #maximum}. */
    public static <A> void maximumGradient(
            Elements<A> elements, Strided g, int newSize, Strided x, int size, int[] positions) {
        planes(
                elements,
                g,
                newSize,
                x,
                size,
                (plane, from, to) -> {
                    Arrays.fill(to, 0);
                    for (int i = 0; i < newSize; i++) {
                        int position = positions[plane * newSize + i];
                        if (position >= 0) {
                            to[position] += from[i];
                        }
                    }
                });
    }

    /**
     * Write the average of each window.
     *
     * @param divisor divisor of the sums; 0 for the size of each window
     */
    public static <A> void average(
            Elements<A> elements, Strided x, Axis rows, Axis columns, int divisor, Strided y) {
        planes(
                elements,
                x,
                rows.extent * columns.extent,
                y,
                rows.count() * columns.count(),
                (_, from, to) -> {
                    int next = 0;
                    for (int i = 0; i < rows.count(); i++) {
                        for (int j = 0; j < columns.count(); j++, next++) {
                            double sum = sum(from, rows, i, columns, j);
                            to[next] = sum / divisor(rows.size[i] * columns.size[j], divisor);
                        }
                    }
                });
    }

    /** {@return the divisor; any value for an empty window} */
    private static double divisor(int size, int given) {
        return given != 0 ? given : Math.max(size, 1);
    }

    private static double sum(double[] plane, Axis rows, int i, Axis columns, int j) {
        double sum = 0;
        for (int row = rows.start[i]; row < rows.end[i]; row++) {
            int line = row * columns.extent;
            for (int column = columns.start[j]; column < columns.end[j]; column++) {
                sum += plane[line + column];
            }
        }
        return sum;
    }

    /** Gradient of {@link #average}. */
    public static <A> void averageGradient(
            Elements<A> elements, Strided g, Axis rows, Axis columns, int divisor, Strided x) {
        planes(
                elements,
                g,
                rows.count() * columns.count(),
                x,
                rows.extent * columns.extent,
                (_, from, to) -> {
                    Arrays.fill(to, 0);
                    int next = 0;
                    for (int i = 0; i < rows.count(); i++) {
                        for (int j = 0; j < columns.count(); j++, next++) {
                            double each = divisor(rows.size[i] * columns.size[j], divisor);
                            spread(from[next] / each, to, rows, i, columns, j);
                        }
                    }
                });
    }

    private static void spread(
            double value, double[] plane, Axis rows, int i, Axis columns, int j) {
        for (int row = rows.start[i]; row < rows.end[i]; row++) {
            int line = row * columns.extent;
            for (int column = columns.start[j]; column < columns.end[j]; column++) {
                plane[line + column] += value;
            }
        }
    }
}
