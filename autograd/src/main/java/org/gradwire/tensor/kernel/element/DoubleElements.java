package org.gradwire.tensor.kernel.element;

import org.gradwire.spi.device.ElementType;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/** Kernels of float64 in plain Java. Each loop is a separate method, so that it is vectorized. */
public class DoubleElements implements Elements<double[]> {
    /** Elements of a part of a row whose exponential functions are not kept. */
    private static final int PART = 256;

    /**
     * Maximum width of a product that is computed element by element: loops over rows would be too
     * short.
     */
    private static final int FEW_COLUMNS = 8;

    @Override
    public double[] array(int length) {
        return new double[length];
    }

    @Override
    public double[] cast(Object array) {
        return (double[]) array;
    }

    @Override
    public ElementType type() {
        return ElementType.FLOAT64;
    }

    @Override
    public ValueLayout layout() {
        return ValueLayout.JAVA_DOUBLE;
    }

    @Override
    public double getDouble(double[] array, int index) {
        return array[index];
    }

    @Override
    public long getLong(double[] array, int index) {
        return (long) array[index];
    }

    @Override
    public void set(double[] array, int index, Number value) {
        array[index] = value.doubleValue();
    }

    @Override
    public void fill(double[] array, int offset, int n, Number value) {
        Arrays.fill(array, offset, offset + n, value.doubleValue());
    }

    @Override
    public void gather(double[] from, int offset, int stride, double[] to, int toOffset, int n) {
        if (stride == 0) {
            Arrays.fill(to, toOffset, toOffset + n, from[offset]);
            return;
        }
        for (int i = 0; i < n; i++) {
            to[toOffset + i] = from[offset + i * stride];
        }
    }

    @Override
    public void scatter(double[] from, int offset, double[] to, int toOffset, int stride, int n) {
        for (int i = 0; i < n; i++) {
            to[toOffset + i * stride] = from[offset + i];
        }
    }

    @Override
    public void unary(Unary function, double[] x, int xo, double[] y, int yo, int n) {
        switch (function) {
            case NEG -> neg(x, xo, y, yo, n);
            case EXP -> exp(x, xo, y, yo, n);
            case LOG -> log(x, xo, y, yo, n);
            case COS -> cos(x, xo, y, yo, n);
            case SIN -> sin(x, xo, y, yo, n);
            case SQRT -> sqrt(x, xo, y, yo, n);
            case RELU -> relu(x, xo, y, yo, n);
            case TANH -> tanh(x, xo, y, yo, n);
            case SIGMOID -> sigmoid(x, xo, y, yo, n);
            default -> map(ScalarFunctions.of(function), x, xo, y, yo, n);
        }
    }

    @Override
    public void binary(
            Binary function, double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        switch (function) {
            case ADD -> add(a, ao, b, bo, y, yo, n);
            case SUB -> sub(a, ao, b, bo, y, yo, n);
            case MUL -> mul(a, ao, b, bo, y, yo, n);
            case DIV -> div(a, ao, b, bo, y, yo, n);
            case RELU_GRADIENT -> reluGradient(a, ao, b, bo, y, yo, n);
            case TANH_GRADIENT -> tanhGradient(a, ao, b, bo, y, yo, n);
            case SIGMOID_GRADIENT -> sigmoidGradient(a, ao, b, bo, y, yo, n);
            default -> map(ScalarFunctions.of(function), a, ao, b, bo, y, yo, n);
        }
    }

    private static void map(
            DoubleUnaryOperator function, double[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = function.applyAsDouble(x[xo + i]);
        }
    }

    private static void map(
            DoubleBinaryOperator function,
            double[] a,
            int ao,
            double[] b,
            int bo,
            double[] y,
            int yo,
            int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = function.applyAsDouble(a[ao + i], b[bo + i]);
        }
    }

    private static void neg(double[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = -x[xo + i];
        }
    }

    private static void exp(double[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = Math.exp(x[xo + i]);
        }
    }

    private static void log(double[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = Math.log(x[xo + i]);
        }
    }

    private static void cos(double[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = Math.cos(x[xo + i]);
        }
    }

    private static void sin(double[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = Math.sin(x[xo + i]);
        }
    }

    private static void sqrt(double[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = Math.sqrt(x[xo + i]);
        }
    }

    private static void relu(double[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = Math.max(x[xo + i], 0);
        }
    }

    private static void tanh(double[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = Math.tanh(x[xo + i]);
        }
    }

    private static void sigmoid(double[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = 1 / (1 + Math.exp(-x[xo + i]));
        }
    }

    private static void add(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] + b[bo + i];
        }
    }

    private static void sub(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] - b[bo + i];
        }
    }

    private static void mul(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] * b[bo + i];
        }
    }

    private static void div(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] / b[bo + i];
        }
    }

    private static void reluGradient(
            double[] g, int go, double[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i] <= 0 ? 0 : g[go + i];
        }
    }

    private static void tanhGradient(
            double[] g, int go, double[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = g[go + i] * (1 - x[xo + i] * x[xo + i]);
        }
    }

    private static void sigmoidGradient(
            double[] g, int go, double[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = g[go + i] * x[xo + i] * (1 - x[xo + i]);
        }
    }

    @Override
    public void addScaled(Number alpha, double[] x, int xo, double[] y, int yo, int n) {
        addScaled(alpha.doubleValue(), x, xo, y, yo, n);
    }

    private static void addScaled(double alpha, double[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] += alpha * x[xo + i];
        }
    }

    @Override
    public void pow(double[] x, int xo, double exponent, double[] y, int yo, int n) {
        if (exponent == 2) {
            mul(x, xo, x, xo, y, yo, n);
        } else if (exponent == 3) {
            cube(x, xo, y, yo, n);
        } else if (exponent == 0.5) {
            sqrt(x, xo, y, yo, n);
        } else if (exponent == -1) {
            unary(Unary.RECIPROCAL, x, xo, y, yo, n);
        } else {
            for (int i = 0; i < n; i++) {
                y[yo + i] = ScalarFunctions.pow(x[xo + i], exponent);
            }
        }
    }

    /** Multiply each number twice with itself, as PyTorch computes the third power. */
    public void cube(double[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i] * x[xo + i] * x[xo + i];
        }
    }

    @Override
    public double dot(double[] a, int ao, double[] b, int bo, int n) {
        double even = 0;
        double odd = 0;
        int i = 0;
        for (; i + 2 <= n; i += 2) {
            even += a[ao + i] * b[bo + i];
            odd += a[ao + i + 1] * b[bo + i + 1];
        }
        return i < n ? even + odd + a[ao + i] * b[bo + i] : even + odd;
    }

    @Override
    public void shiftScale(
            double shift, double scale, double[] x, int xo, double[] y, int yo, int n) {
        double by = shift;
        double factor = scale;
        for (int i = 0; i < n; i++) {
            y[yo + i] = (x[xo + i] + by) * factor;
        }
    }

    @Override
    public void correlate(
            double[] x,
            int xo,
            int[] offsets,
            double[] weights,
            int wo,
            double[] y,
            int yo,
            int n) {
        for (int k = 0; k < offsets.length; k++) {
            addScaled(weights[wo + k], x, xo + offsets[k], y, yo, n);
        }
    }

    /** Multiply the difference of two numbers: {@code y = factor * (x - by)}. */
    public void scaledDifference(
            double[] x, int xo, double by, double[] factors, int fo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = factors[fo + i] * (x[xo + i] - by);
        }
    }

    /**
     * {@return the sum of a range, in eight partial sums: more exact and faster than a sequential
     * one}
     */
    public double sum(double[] x, int xo, int n) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        double s4 = 0;
        double s5 = 0;
        double s6 = 0;
        double s7 = 0;
        int i = xo;
        for (; i + 8 <= xo + n; i += 8) {
            s0 += x[i];
            s1 += x[i + 1];
            s2 += x[i + 2];
            s3 += x[i + 3];
            s4 += x[i + 4];
            s5 += x[i + 5];
            s6 += x[i + 6];
            s7 += x[i + 7];
        }
        double rest = 0;
        for (; i < xo + n; i++) {
            rest += x[i];
        }
        return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7)) + rest;
    }

    @Override
    public void sum(double[] x, int xo, int n, double[] y, int yo) {
        y[yo] = sum(x, xo, n);
    }

    public double max(double[] x, int xo, int n) {
        double max = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < n; i++) {
            max = Math.max(max, x[xo + i]);
        }
        return max;
    }

    @Override
    public void softmax(double[] x, int xo, double[] y, int yo, int n) {
        shiftScale(-max(x, xo, n), 1, x, xo, y, yo, n);
        unary(Unary.EXP, y, yo, y, yo, n);
        shiftScale(0, 1 / sum(y, yo, n), y, yo, y, yo, n);
    }

    @Override
    public void logSoftmax(double[] x, int xo, double[] y, int yo, int n) {
        shiftScale(-max(x, xo, n), 1, x, xo, y, yo, n);
        shiftScale(-Math.log(sumOfPowers(y, yo, n)), 1, y, yo, y, yo, n);
    }

    /**
     * {@return the sum of the exponential functions of a range, which are computed in the cache}
     */
    private double sumOfPowers(double[] x, int xo, int n) {
        double[] powers = new double[Math.min(n, PART)];
        double sum = 0;
        for (int start = 0; start < n; start += PART) {
            int count = Math.min(PART, n - start);
            unary(Unary.EXP, x, xo + start, powers, 0, count);
            sum += sum(powers, 0, count);
        }
        return sum;
    }

    @Override
    public void softmaxGradient(double[] g, int go, double[] y, int yo, double[] x, int xo, int n) {
        double dot = dot(g, go, y, yo, n);
        scaledDifference(g, go, dot, y, yo, x, xo, n);
    }

    @Override
    public void logSoftmaxGradient(
            double[] g, int go, double[] y, int yo, double[] x, int xo, int n) {
        double sum = sum(g, go, n);
        unary(Unary.EXP, y, yo, x, xo, n);
        for (int i = 0; i < n; i++) {
            x[xo + i] = g[go + i] - x[xo + i] * sum;
        }
    }

    @Override
    public void multiply(
            MatrixProduct p, double[] a, int ao, double[] b, int bo, double[] c, int co) {
        int aRow = p.aTransposed() ? 1 : p.aStride();
        int aColumn = p.aTransposed() ? p.aStride() : 1;
        for (int i = 0; i < p.m(); i++) {
            int row = co + i * p.cStride();
            if (!p.accumulate()) {
                Arrays.fill(c, row, row + p.n(), 0);
            }
            if (p.bTransposed() || p.n() <= FEW_COLUMNS) {
                dots(p, a, ao + i * aRow, aColumn, b, bo, c, row);
            } else {
                for (int q = 0; q < p.k(); q++) {
                    double factor = a[ao + i * aRow + q * aColumn];
                    addScaled(factor, b, bo + q * p.bStride(), c, row, p.n());
                }
            }
        }
    }

    private static void dots(
            MatrixProduct p,
            double[] a,
            int ao,
            int aStep,
            double[] b,
            int bo,
            double[] c,
            int co) {
        int bRow = p.bTransposed() ? 1 : p.bStride();
        int bColumn = p.bTransposed() ? p.bStride() : 1;
        for (int j = 0; j < p.n(); j++) {
            int column = bo + j * bColumn;
            double dot = 0;
            for (int q = 0; q < p.k(); q++) {
                dot += a[ao + q * aStep] * b[column + q * bRow];
            }
            c[co + j] += dot;
        }
    }
}
