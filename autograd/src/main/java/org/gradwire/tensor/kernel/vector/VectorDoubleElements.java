package org.gradwire.tensor.kernel.vector;

import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.DoubleElements;
import org.gradwire.tensor.kernel.element.Unary;

import java.lang.foreign.MemorySegment;

/**
 * Kernels of float64 through the Vector API. Short ranges use the plain kernels, so that tiny
 * tensors avoid the cost of masks.
 */
public final class VectorDoubleElements extends DoubleElements {
    /** Shorter ranges are short; the same for each length of vectors, as results depend on it. */
    private static final int SHORT = 8;

    @Override
    public void unary(Unary function, double[] x, int xo, double[] y, int yo, int n) {
        if (n < SHORT) {
            super.unary(function, x, xo, y, yo, n);
            return;
        }
        switch (function) {
            case NEG -> VectorDoubleArithmetic.neg(x, xo, y, yo, n);
            case EXP -> VectorDoubleMath.exp(x, xo, y, yo, n);
            case LOG -> VectorDoubleMath.log(x, xo, y, yo, n);
            case COS -> VectorDoubleMath.cos(x, xo, y, yo, n);
            case SIN -> VectorDoubleMath.sin(x, xo, y, yo, n);
            case SQRT -> VectorDoubleArithmetic.sqrt(x, xo, y, yo, n);
            case RELU -> VectorDoubleArithmetic.relu(x, xo, y, yo, n);
            case TANH -> VectorDoubleMath.tanh(x, xo, y, yo, n);
            case SIGMOID -> VectorDoubleMath.sigmoid(x, xo, y, yo, n);
            case ABS -> VectorDoubleRounding.abs(x, xo, y, yo, n);
            case SIGN -> VectorDoubleRounding.sign(x, xo, y, yo, n);
            case SQUARE -> VectorDoubleRounding.square(x, xo, y, yo, n);
            case RECIPROCAL -> VectorDoubleRounding.reciprocal(x, xo, y, yo, n);
            case RSQRT -> VectorDoubleRounding.rsqrt(x, xo, y, yo, n);
            case FLOOR -> VectorDoubleRounding.floor(x, xo, y, yo, n);
            case CEIL -> VectorDoubleRounding.ceil(x, xo, y, yo, n);
            case ROUND -> VectorDoubleRounding.round(x, xo, y, yo, n);
            case TRUNC -> VectorDoubleRounding.trunc(x, xo, y, yo, n);
            case LOG1P -> VectorDoubleTranscendental.log1p(x, xo, y, yo, n);
            case EXPM1 -> VectorDoubleTranscendental.expm1(x, xo, y, yo, n);
            case LOG10 -> VectorDoubleTranscendental.log10(x, xo, y, yo, n);
            case TAN -> VectorDoubleTranscendental.tan(x, xo, y, yo, n);
            case ASIN -> VectorDoubleTranscendental.asin(x, xo, y, yo, n);
            case ACOS -> VectorDoubleTranscendental.acos(x, xo, y, yo, n);
            case ATAN -> VectorDoubleTranscendental.atan(x, xo, y, yo, n);
            case SINH -> VectorDoubleTranscendental.sinh(x, xo, y, yo, n);
            case COSH -> VectorDoubleTranscendental.cosh(x, xo, y, yo, n);
            default -> super.unary(function, x, xo, y, yo, n);
        }
    }

    @Override
    public void binary(
            Binary function, double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        if (n < SHORT) {
            super.binary(function, a, ao, b, bo, y, yo, n);
            return;
        }
        switch (function) {
            case ADD -> VectorDoubleArithmetic.add(a, ao, b, bo, y, yo, n);
            case SUB -> VectorDoubleArithmetic.sub(a, ao, b, bo, y, yo, n);
            case MUL -> VectorDoubleArithmetic.mul(a, ao, b, bo, y, yo, n);
            case DIV -> VectorDoubleArithmetic.div(a, ao, b, bo, y, yo, n);
            case RELU_GRADIENT -> VectorDoubleArithmetic.reluGradient(a, ao, b, bo, y, yo, n);
            case TANH_GRADIENT -> VectorDoubleArithmetic.tanhGradient(a, ao, b, bo, y, yo, n);
            case SIGMOID_GRADIENT -> VectorDoubleArithmetic.sigmoidGradient(a, ao, b, bo, y, yo, n);
            case MAX -> VectorDoubleRounding.max(a, ao, b, bo, y, yo, n);
            case MIN -> VectorDoubleRounding.min(a, ao, b, bo, y, yo, n);
            case SAME -> VectorDoubleRounding.same(a, ao, b, bo, y, yo, n);
            case AT_LEAST -> VectorDoubleRounding.atLeast(a, ao, b, bo, y, yo, n);
            case LEAKY_RELU -> VectorDoubleRounding.leakyRelu(a, ao, b, bo, y, yo, n);
            case LEAKY_SLOPE -> VectorDoubleRounding.leakySlope(a, ao, b, bo, y, yo, n);
            case POW -> VectorDoubleTranscendental.pow(a, ao, b, bo, y, yo, n);
            case REMAINDER -> VectorDoubleRemainders.remainder(a, ao, b, bo, y, yo, n);
            case FMOD -> VectorDoubleRemainders.fmod(a, ao, b, bo, y, yo, n);
            case ATAN2 -> VectorDoubleTranscendental.atan2(a, ao, b, bo, y, yo, n);
            default -> super.binary(function, a, ao, b, bo, y, yo, n);
        }
    }

    @Override
    public boolean binaryNative(
            Binary function, MemorySegment a, MemorySegment b, MemorySegment y, int n) {
        switch (function) {
            case ADD -> VectorDoubleNative.add(a, b, y, n);
            case SUB -> VectorDoubleNative.sub(a, b, y, n);
            case MUL -> VectorDoubleNative.mul(a, b, y, n);
            case DIV -> VectorDoubleNative.div(a, b, y, n);
            default -> {
                return false;
            }
        }
        return true;
    }

    @Override
    public void addScaled(Number alpha, double[] x, int xo, double[] y, int yo, int n) {
        if (n < SHORT) {
            super.addScaled(alpha, x, xo, y, yo, n);
        } else {
            VectorDoubleArithmetic.addScaled(alpha.doubleValue(), x, xo, y, yo, n);
        }
    }

    @Override
    public boolean addRowsNative(
            MemorySegment x, int at, int pitch, int rows, double[] y, int yo, int n) {
        if (n % VectorDoubleNative.LANES != 0) {
            return false;
        }
        VectorDoubleNative.addRows(x, at, pitch, rows, y, yo, n);
        return true;
    }

    @Override
    public boolean powNative(MemorySegment x, double exponent, MemorySegment y, int n) {
        if (exponent == 2) {
            VectorDoubleNative.mul(x, x, y, n);
        } else if (exponent == 3) {
            VectorDoubleNative.cube(x, y, n);
        } else {
            return false;
        }
        return true;
    }

    @Override
    public void cube(double[] x, int xo, double[] y, int yo, int n) {
        VectorDoubleRemainders.cube(x, xo, y, yo, n);
    }

    @Override
    public double dot(double[] a, int ao, double[] b, int bo, int n) {
        return VectorDoubleSums.dot(a, ao, b, bo, n);
    }

    @Override
    public void shiftScale(
            double shift, double scale, double[] x, int xo, double[] y, int yo, int n) {
        VectorDoubleRows.shiftScale(shift, scale, x, xo, y, yo, n);
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
        VectorDoubleRows.correlate(x, xo, offsets, weights, wo, y, yo, n);
    }

    @Override
    public void scaledDifference(
            double[] x, int xo, double by, double[] factors, int fo, double[] y, int yo, int n) {
        VectorDoubleRows.scaledDifference(x, xo, by, factors, fo, y, yo, n);
    }

    @Override
    public double sum(double[] x, int xo, int n) {
        return VectorDoubleSums.sum(x, xo, n);
    }

    @Override
    public boolean sumNative(MemorySegment x, int from, int n, double[] y, int yo) {
        y[yo] = VectorDoubleSums.sum(x, from, n);
        return true;
    }

    @Override
    public double max(double[] x, int xo, int n) {
        return VectorDoubleRows.max(x, xo, n);
    }
}
