package org.gradwire.optim;

import org.gradwire.tensor.Tensor;

import java.util.function.DoubleFunction;

/**
 * A line search for a step length that satisfies the strong Wolfe conditions: sufficient decrease
 * and curvature. It expands until it brackets such a length, then narrows the bracket by cubic
 * interpolation.
 *
 * @see <a href="https://doi.org/10.1007/978-0-387-40065-5">Nocedal and Wright, Numerical
 *     Optimization, algorithms 3.5 and 3.6</a>
 */
final class StrongWolfeSearch {
    private static final double DECREASE = 1e-4;
    private static final double CURVATURE = 0.9;
    private static final double LEAST_CHANGE = 1e-9;
    private static final int MAX_ROUNDS = 25;

    private final DoubleFunction<Point> evaluation;
    private final Point start;
    private final double largest; // element of the direction
    private int rounds;

    /**
     * The evaluation of a step length.
     *
     * @param slope the derivative of the loss by the length
     */
    record Point(double length, double loss, Tensor gradient, double slope) {}

    /**
     * Create a search along a direction.
     *
     * @param evaluation computes loss and gradient at a length
     * @param start the point at length 0
     * @param largest absolute element of the direction
     */
    StrongWolfeSearch(DoubleFunction<Point> evaluation, Point start, double largest) {
        this.evaluation = evaluation;
        this.start = start;
        this.largest = largest;
    }

    private boolean decreases(Point point) {
        return !(point.loss > start.loss + DECREASE * point.length * start.slope);
    }

    private boolean isFlat(Point point) {
        return Math.abs(point.slope) <= -CURVATURE * start.slope;
    }

    /** Expand from an initial length until it brackets a solution. */
    Point search(double first) {
        Point before = start;
        Point point = evaluation.apply(first);
        while (rounds < MAX_ROUNDS) {
            if (!decreases(point) || (rounds > 1 && point.loss >= before.loss)) {
                return between(before, point);
            }
            if (isFlat(point)) {
                return point;
            }
            if (point.slope >= 0) {
                return between(before, point);
            }
            double least = point.length + 0.01 * (point.length - before.length);
            double next = minimum(before, point, least, point.length * 10);
            before = point;
            point = evaluation.apply(next);
            rounds++;
        }
        return start.loss <= point.loss ? start : point;
    }

    private Point between(Point first, Point second) {
        Point[] ends = {first, second};
        int low = lower(ends);
        boolean nearAnEnd = false;
        while (rounds < MAX_ROUNDS
                && !(Math.abs(ends[0].length - ends[1].length) * largest < LEAST_CHANGE)) {
            double left = Math.min(ends[0].length, ends[1].length);
            double right = Math.max(ends[0].length, ends[1].length);
            double length = minimum(ends[0], ends[1], left, right);
            double margin = 0.1 * (right - left);
            boolean near = Math.min(right - length, length - left) < margin;
            if (near && (nearAnEnd || length >= right || length <= left)) {
                boolean rightIsNearer = Math.abs(length - right) < Math.abs(length - left);
                length = rightIsNearer ? right - margin : left + margin;
                near = false;
            }
            nearAnEnd = near;
            Point point = evaluation.apply(length);
            rounds++;
            if (!decreases(point) || point.loss >= ends[low].loss) {
                ends[1 - low] = point;
                low = lower(ends);
                continue;
            }
            if (isFlat(point)) {
                return point;
            }
            if (point.slope * (ends[1 - low].length - ends[low].length) >= 0) {
                ends[1 - low] = ends[low];
            }
            ends[low] = point;
        }
        return ends[low];
    }

    /** {@return the end with the lower loss; the second one if either is NaN} */
    private static int lower(Point[] ends) {
        return ends[0].loss <= ends[1].loss ? 0 : 1;
    }

    /** {@return the minimizer of the cubic through two points, within bounds} */
    private static double minimum(Point a, Point b, double least, double most) {
        Point left = a.length <= b.length ? a : b;
        Point right = a.length <= b.length ? b : a;
        double width = right.length - left.length;
        double sum = left.slope + right.slope - 3 * (right.loss - left.loss) / width;
        double square = sum * sum - left.slope * right.slope;
        if (!(square >= 0)) {
            return (least + most) / 2;
        }
        double root = Math.sqrt(square);
        double length =
                right.length
                        - width
                                * ((right.slope + root - sum)
                                        / (right.slope - left.slope + 2 * root));
        return Math.min(Math.max(length, least), most);
    }
}
