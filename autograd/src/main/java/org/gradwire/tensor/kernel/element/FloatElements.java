package org.gradwire.tensor.kernel.element;

import org.gradwire.spi.device.ElementType;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/** Kernels of float32 in plain Java. Each loop is a separate method, so that it is vectorized. */
public class FloatElements implements Elements<float[]> {
    /** Elements of a part of a row whose exponential functions are not kept. */
    private static final int PART = 256;

    /**
     * Maximum width of a product that is computed element by element: loops over rows would be too
     * short.
     */
    private static final int FEW_COLUMNS = 8;

    @Override
    public float[] array(int length) {
        return new float[length];
    }

    @Override
    public float[] cast(Object array) {
        return (float[]) array;
    }

    @Override
    public ElementType type() {
        return ElementType.FLOAT32;
    }

    @Override
    public ValueLayout layout() {
        return ValueLayout.JAVA_FLOAT;
    }

    @Override
    public double getDouble(float[] array, int index) {
        return array[index];
    }

    @Override
    public long getLong(float[] array, int index) {
        return (long) array[index];
    }

    @Override
    public void set(float[] array, int index, Number value) {
        array[index] = value.floatValue();
    }

    @Override
    public void fill(float[] array, int offset, int n, Number value) {
        Arrays.fill(array, offset, offset + n, value.floatValue());
    }

    @Override
    public void gather(float[] from, int offset, int stride, float[] to, int toOffset, int n) {
        if (stride == 0) {
            Arrays.fill(to, toOffset, toOffset + n, from[offset]);
            return;
        }
        for (int i = 0; i < n; i++) {
            to[toOffset + i] = from[offset + i * stride];
        }
    }

    @Override
    public void scatter(float[] from, int offset, float[] to, int toOffset, int stride, int n) {
        for (int i = 0; i < n; i++) {
            to[toOffset + i * stride] = from[offset + i];
        }
    }

    @Override
    public void unary(Unary function, float[] x, int xo, float[] y, int yo, int n) {
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
            Binary function, float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
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
            DoubleUnaryOperator function, float[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (float) function.applyAsDouble(x[xo + i]);
        }
    }

    private static void map(
            DoubleBinaryOperator function,
            float[] a,
            int ao,
            float[] b,
            int bo,
            float[] y,
            int yo,
            int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (float) function.applyAsDouble(a[ao + i], b[bo + i]);
        }
    }

    private static void neg(float[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = -x[xo + i];
        }
    }

    private static void exp(float[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (float) Math.exp(x[xo + i]);
        }
    }

    private static void log(float[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (float) Math.log(x[xo + i]);
        }
    }

    private static void cos(float[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (float) Math.cos(x[xo + i]);
        }
    }

    private static void sin(float[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (float) Math.sin(x[xo + i]);
        }
    }

    private static void sqrt(float[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (float) Math.sqrt(x[xo + i]);
        }
    }

    private static void relu(float[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = Math.max(x[xo + i], 0);
        }
    }

    private static void tanh(float[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (float) Math.tanh(x[xo + i]);
        }
    }

    private static void sigmoid(float[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (float) (1 / (1 + Math.exp(-x[xo + i])));
        }
    }

    private static void add(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] + b[bo + i];
        }
    }

    private static void sub(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] - b[bo + i];
        }
    }

    private static void mul(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] * b[bo + i];
        }
    }

    private static void div(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] / b[bo + i];
        }
    }

    private static void reluGradient(
            float[] g, int go, float[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i] <= 0 ? 0 : g[go + i];
        }
    }

    private static void tanhGradient(
            float[] g, int go, float[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = g[go + i] * (1 - x[xo + i] * x[xo + i]);
        }
    }

    private static void sigmoidGradient(
            float[] g, int go, float[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = g[go + i] * x[xo + i] * (1 - x[xo + i]);
        }
    }

    @Override
    public void addScaled(Number alpha, float[] x, int xo, float[] y, int yo, int n) {
        addScaled(alpha.floatValue(), x, xo, y, yo, n);
    }

    private static void addScaled(float alpha, float[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] += alpha * x[xo + i];
        }
    }

    @Override
    public void pow(float[] x, int xo, double exponent, float[] y, int yo, int n) {
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
                y[yo + i] = (float) ScalarFunctions.pow(x[xo + i], exponent);
            }
        }
    }

    /** Multiply each number twice with itself, as PyTorch computes the third power. */
    public void cube(float[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i] * x[xo + i] * x[xo + i];
        }
    }

    @Override
    public double dot(float[] a, int ao, float[] b, int bo, int n) {
        float even = 0;
        float odd = 0;
        int i = 0;
        for (; i + 2 <= n; i += 2) {
            even += a[ao + i] * b[bo + i];
            odd += a[ao + i + 1] * b[bo + i + 1];
        }
        return i < n ? even + odd + a[ao + i] * b[bo + i] : even + odd;
    }

    @Override
    public void shiftScale(
            double shift, double scale, float[] x, int xo, float[] y, int yo, int n) {
        float by = (float) shift;
        float factor = (float) scale;
        for (int i = 0; i < n; i++) {
            y[yo + i] = (x[xo + i] + by) * factor;
        }
    }

    @Override
    public void correlate(
            float[] x, int xo, int[] offsets, float[] weights, int wo, float[] y, int yo, int n) {
        for (int k = 0; k < offsets.length; k++) {
            addScaled(weights[wo + k], x, xo + offsets[k], y, yo, n);
        }
    }

    /** Multiply the difference of two numbers: {@code y = factor * (x - by)}. */
    public void scaledDifference(
            float[] x, int xo, float by, float[] factors, int fo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = factors[fo + i] * (x[xo + i] - by);
        }
    }

    /**
     * {@return the sum of a range, in eight partial sums: more exact and faster than a sequential
     * one}
     */
    public float sum(float[] x, int xo, int n) {
        float s0 = 0;
        float s1 = 0;
        float s2 = 0;
        float s3 = 0;
        float s4 = 0;
        float s5 = 0;
        float s6 = 0;
        float s7 = 0;
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
        float rest = 0;
        for (; i < xo + n; i++) {
            rest += x[i];
        }
        return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7)) + rest;
    }

    @Override
    public void sum(float[] x, int xo, int n, float[] y, int yo) {
        y[yo] = sum(x, xo, n);
    }

    public float max(float[] x, int xo, int n) {
        float max = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < n; i++) {
            max = Math.max(max, x[xo + i]);
        }
        return max;
    }

    @Override
    public void softmax(float[] x, int xo, float[] y, int yo, int n) {
        shiftScale(-max(x, xo, n), 1, x, xo, y, yo, n);
        unary(Unary.EXP, y, yo, y, yo, n);
        shiftScale(0, 1 / sum(y, yo, n), y, yo, y, yo, n);
    }

    @Override
    public void logSoftmax(float[] x, int xo, float[] y, int yo, int n) {
        shiftScale(-max(x, xo, n), 1, x, xo, y, yo, n);
        shiftScale(-Math.log(sumOfPowers(y, yo, n)), 1, y, yo, y, yo, n);
    }

    /**
     * {@return the sum of the exponential functions of a range, which are computed in the cache}
     */
    private double sumOfPowers(float[] x, int xo, int n) {
        float[] powers = new float[Math.min(n, PART)];
        double sum = 0;
        for (int start = 0; start < n; start += PART) {
            int count = Math.min(PART, n - start);
            unary(Unary.EXP, x, xo + start, powers, 0, count);
            sum += sum(powers, 0, count);
        }
        return sum;
    }

    @Override
    public void softmaxGradient(float[] g, int go, float[] y, int yo, float[] x, int xo, int n) {
        float dot = (float) dot(g, go, y, yo, n);
        scaledDifference(g, go, dot, y, yo, x, xo, n);
    }

    @Override
    public void logSoftmaxGradient(float[] g, int go, float[] y, int yo, float[] x, int xo, int n) {
        float sum = sum(g, go, n);
        unary(Unary.EXP, y, yo, x, xo, n);
        for (int i = 0; i < n; i++) {
            x[xo + i] = g[go + i] - x[xo + i] * sum;
        }
    }

    @Override
    public void multiply(MatrixProduct p, float[] a, int ao, float[] b, int bo, float[] c, int co) {
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
                    float factor = a[ao + i * aRow + q * aColumn];
                    addScaled(factor, b, bo + q * p.bStride(), c, row, p.n());
                }
            }
        }
    }

    private static void dots(
            MatrixProduct p, float[] a, int ao, int aStep, float[] b, int bo, float[] c, int co) {
        int bRow = p.bTransposed() ? 1 : p.bStride();
        int bColumn = p.bTransposed() ? p.bStride() : 1;
        for (int j = 0; j < p.n(); j++) {
            int column = bo + j * bColumn;
            float dot = 0;
            for (int q = 0; q < p.k(); q++) {
                dot += a[ao + q * aStep] * b[column + q * bRow];
            }
            c[co + j] += dot;
        }
    }
}
