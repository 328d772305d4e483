package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.FloatElements;
import org.gradwire.tensor.kernel.element.Unary;

import java.lang.foreign.MemorySegment;

/**
 * Kernels of float32 through the Vector API. Short ranges use the plain kernels, so that tiny
 * tensors avoid the cost of masks.
 */
public final class VectorFloatElements extends FloatElements {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    /** Shorter ranges are short; the same for each length of vectors, as results depend on it. */
    private static final int SHORT = 16;

    @Override
    public void unary(Unary function, float[] x, int xo, float[] y, int yo, int n) {
        if (n < SHORT) {
            super.unary(function, x, xo, y, yo, n);
            return;
        }
        switch (function) {
            case NEG -> VectorFloatArithmetic.neg(x, xo, y, yo, n);
            case EXP -> VectorFloatMath.exp(x, xo, y, yo, n);
            case LOG -> VectorFloatMath.log(x, xo, y, yo, n);
            case COS -> VectorFloatMath.cos(x, xo, y, yo, n);
            case SIN -> VectorFloatMath.sin(x, xo, y, yo, n);
            case SQRT -> VectorFloatArithmetic.sqrt(x, xo, y, yo, n);
            case RELU -> VectorFloatArithmetic.relu(x, xo, y, yo, n);
            case TANH -> VectorFloatMath.tanh(x, xo, y, yo, n);
            case SIGMOID -> VectorFloatMath.sigmoid(x, xo, y, yo, n);
            case ABS -> VectorFloatRounding.abs(x, xo, y, yo, n);
            case SIGN -> VectorFloatRounding.sign(x, xo, y, yo, n);
            case SQUARE -> VectorFloatRounding.square(x, xo, y, yo, n);
            case RECIPROCAL -> VectorFloatRounding.reciprocal(x, xo, y, yo, n);
            case RSQRT -> VectorFloatRounding.rsqrt(x, xo, y, yo, n);
            case FLOOR -> VectorFloatRounding.floor(x, xo, y, yo, n);
            case CEIL -> VectorFloatRounding.ceil(x, xo, y, yo, n);
            case ROUND -> VectorFloatRounding.round(x, xo, y, yo, n);
            case TRUNC -> VectorFloatRounding.trunc(x, xo, y, yo, n);
            case LOG1P -> VectorFloatTranscendental.log1p(x, xo, y, yo, n);
            case EXPM1 -> VectorFloatTranscendental.expm1(x, xo, y, yo, n);
            case LOG10 -> VectorFloatTranscendental.log10(x, xo, y, yo, n);
            case TAN -> VectorFloatTranscendental.tan(x, xo, y, yo, n);
            case ASIN -> VectorFloatTranscendental.asin(x, xo, y, yo, n);
            case ACOS -> VectorFloatTranscendental.acos(x, xo, y, yo, n);
            case ATAN -> VectorFloatTranscendental.atan(x, xo, y, yo, n);
            case SINH -> VectorFloatTranscendental.sinh(x, xo, y, yo, n);
            case COSH -> VectorFloatTranscendental.cosh(x, xo, y, yo, n);
            case ERF -> VectorFloatActivations.erf(x, xo, y, yo, n);
            case GELU -> VectorFloatActivations.gelu(x, xo, y, yo, n);
            case GELU_SLOPE -> VectorFloatActivations.geluSlope(x, xo, y, yo, n);
            case GELU_TANH -> VectorFloatActivations.geluTanh(x, xo, y, yo, n);
            case GELU_TANH_SLOPE -> VectorFloatActivations.geluTanhSlope(x, xo, y, yo, n);
            case SILU -> VectorFloatActivations.silu(x, xo, y, yo, n);
            case SILU_SLOPE -> VectorFloatActivations.siluSlope(x, xo, y, yo, n);
            default -> super.unary(function, x, xo, y, yo, n);
        }
    }

    @Override
    public void binary(
            Binary function, float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        if (n < SHORT) {
            super.binary(function, a, ao, b, bo, y, yo, n);
            return;
        }
        switch (function) {
            case ADD -> VectorFloatArithmetic.add(a, ao, b, bo, y, yo, n);
            case SUB -> VectorFloatArithmetic.sub(a, ao, b, bo, y, yo, n);
            case MUL -> VectorFloatArithmetic.mul(a, ao, b, bo, y, yo, n);
            case DIV -> VectorFloatArithmetic.div(a, ao, b, bo, y, yo, n);
            case RELU_GRADIENT -> VectorFloatArithmetic.reluGradient(a, ao, b, bo, y, yo, n);
            case TANH_GRADIENT -> VectorFloatArithmetic.tanhGradient(a, ao, b, bo, y, yo, n);
            case SIGMOID_GRADIENT -> VectorFloatArithmetic.sigmoidGradient(a, ao, b, bo, y, yo, n);
            case MAX -> VectorFloatRounding.max(a, ao, b, bo, y, yo, n);
            case MIN -> VectorFloatRounding.min(a, ao, b, bo, y, yo, n);
            case SAME -> VectorFloatRounding.same(a, ao, b, bo, y, yo, n);
            case AT_LEAST -> VectorFloatRounding.atLeast(a, ao, b, bo, y, yo, n);
            case LEAKY_RELU -> VectorFloatRounding.leakyRelu(a, ao, b, bo, y, yo, n);
            case LEAKY_SLOPE -> VectorFloatRounding.leakySlope(a, ao, b, bo, y, yo, n);
            case POW -> VectorFloatTranscendental.pow(a, ao, b, bo, y, yo, n);
            case REMAINDER -> VectorFloatRemainders.remainder(a, ao, b, bo, y, yo, n);
            case FMOD -> VectorFloatRemainders.fmod(a, ao, b, bo, y, yo, n);
            case ATAN2 -> VectorFloatTranscendental.atan2(a, ao, b, bo, y, yo, n);
            case ELU -> VectorFloatActivations.elu(a, ao, b, bo, y, yo, n);
            case ELU_SLOPE -> VectorFloatActivations.eluSlope(a, ao, b, bo, y, yo, n);
            case SOFTPLUS -> VectorFloatActivations.softplus(a, ao, b, bo, y, yo, n);
            case SOFTPLUS_SLOPE -> VectorFloatActivations.softplusSlope(a, ao, b, bo, y, yo, n);
            default -> super.binary(function, a, ao, b, bo, y, yo, n);
        }
    }

    @Override
    public boolean unaryNative(Unary function, MemorySegment x, MemorySegment y, int n) {
        if (function != Unary.RELU) {
            return false;
        }
        VectorFloatNative.relu(x, y, n);
        return true;
    }

    @Override
    public boolean binaryNative(
            Binary function, MemorySegment a, MemorySegment b, MemorySegment y, int n) {
        switch (function) {
            case ADD -> VectorFloatNative.add(a, b, y, n);
            case SUB -> VectorFloatNative.sub(a, b, y, n);
            case MUL -> VectorFloatNative.mul(a, b, y, n);
            case DIV -> VectorFloatNative.div(a, b, y, n);
            case RELU_GRADIENT -> VectorFloatNative.reluGradient(a, b, y, n);
            default -> {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean addScaledFromNative(
            Number alpha, MemorySegment x, int xo, float[] y, int yo, int n) {
        if (n % LANES != 0) {
            return false;
        }
        VectorFloatNative.addScaled(alpha.floatValue(), x, xo, y, yo, n);
        return true;
    }

    @Override
    public boolean addScaledToNative(
            Number alpha, float[] x, int xo, MemorySegment y, int yo, int n) {
        if (n % LANES != 0) {
            return false;
        }
        VectorFloatNative.addScaled(alpha.floatValue(), x, xo, y, yo, n);
        return true;
    }

    @Override
    public void addScaled(Number alpha, float[] x, int xo, float[] y, int yo, int n) {
        if (n < SHORT) {
            super.addScaled(alpha, x, xo, y, yo, n);
        } else {
            VectorFloatArithmetic.addScaled(alpha.floatValue(), x, xo, y, yo, n);
        }
    }

    @Override
    public boolean addRowsNative(
            MemorySegment x, int at, int pitch, int rows, float[] y, int yo, int n) {
        if (n % VectorFloatNative.LANES != 0) {
            return false;
        }
        VectorFloatNative.addRows(x, at, pitch, rows, y, yo, n);
        return true;
    }

    @Override
    public boolean powNative(MemorySegment x, double exponent, MemorySegment y, int n) {
        if (exponent == 2) {
            VectorFloatNative.mul(x, x, y, n);
        } else if (exponent == 3) {
            VectorFloatNative.cube(x, y, n);
        } else {
            return false;
        }
        return true;
    }

    @Override
    public void cube(float[] x, int xo, float[] y, int yo, int n) {
        VectorFloatRemainders.cube(x, xo, y, yo, n);
    }

    @Override
    public double dot(float[] a, int ao, float[] b, int bo, int n) {
        return VectorFloatSums.dot(a, ao, b, bo, n);
    }

    @Override
    public void shiftScale(
            double shift, double scale, float[] x, int xo, float[] y, int yo, int n) {
        VectorFloatRows.shiftScale((float) shift, (float) scale, x, xo, y, yo, n);
    }

    @Override
    public void correlate(
            float[] x, int xo, int[] offsets, float[] weights, int wo, float[] y, int yo, int n) {
        VectorFloatRows.correlate(x, xo, offsets, weights, wo, y, yo, n);
    }

    @Override
    public void scaledDifference(
            float[] x, int xo, float by, float[] factors, int fo, float[] y, int yo, int n) {
        VectorFloatRows.scaledDifference(x, xo, by, factors, fo, y, yo, n);
    }

    @Override
    public float sum(float[] x, int xo, int n) {
        return VectorFloatSums.sum(x, xo, n);
    }

    @Override
    public boolean sumNative(MemorySegment x, int from, int n, float[] y, int yo) {
        y[yo] = VectorFloatSums.sum(x, from, n);
        return true;
    }

    @Override
    public float max(float[] x, int xo, int n) {
        return VectorFloatRows.max(x, xo, n);
    }
}
