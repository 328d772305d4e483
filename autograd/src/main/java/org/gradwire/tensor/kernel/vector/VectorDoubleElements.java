package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.DoubleElements;
import org.gradwire.tensor.kernel.element.Unary;

/**
 * Kernels of float64 through the Vector API. Ranges shorter than a vector use the plain kernels, so
 * that tiny tensors avoid the cost of masks.
 */
public final class VectorDoubleElements extends DoubleElements {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    @Override
    public void unary(Unary function, double[] x, int xo, double[] y, int yo, int n) {
        if (n < LANES) {
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
        if (n < LANES) {
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
            case ATAN2 -> VectorDoubleTranscendental.atan2(a, ao, b, bo, y, yo, n);
            default -> super.binary(function, a, ao, b, bo, y, yo, n);
        }
    }

    @Override
    public void addScaled(Number alpha, double[] x, int xo, double[] y, int yo, int n) {
        if (n < LANES) {
            super.addScaled(alpha, x, xo, y, yo, n);
        } else {
            VectorDoubleArithmetic.addScaled(alpha.doubleValue(), x, xo, y, yo, n);
        }
    }

    @Override
    public double sum(double[] x, int xo, int n) {
        DoubleVector even = DoubleVector.zero(SPECIES);
        DoubleVector odd = even;
        int i = 0;
        for (; i <= n - 2 * LANES; i += 2 * LANES) {
            even = even.add(DoubleVector.fromArray(SPECIES, x, xo + i));
            odd = odd.add(DoubleVector.fromArray(SPECIES, x, xo + i + LANES));
        }
        double sum = even.add(odd).reduceLanes(VectorOperators.ADD);
        for (; i < n; i++) {
            sum += x[xo + i];
        }
        return sum;
    }

    @Override
    public double max(double[] x, int xo, int n) {
        DoubleVector best = DoubleVector.broadcast(SPECIES, Double.NEGATIVE_INFINITY);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            best = best.max(DoubleVector.fromArray(SPECIES, x, xo + i));
        }
        double max = best.reduceLanes(VectorOperators.MAX);
        for (; i < n; i++) {
            max = Math.max(max, x[xo + i]);
        }
        return max;
    }
}
