package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import org.gradwire.tensor.kernel.element.ScalarFunctions;

/** Functions of neural networks of float32 through the Vector API. */
final class VectorFloatActivations {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();
    private static final FloatVector ONE = FloatVector.broadcast(SPECIES, 1);

    /** Argument from which the error function rounds to one. */
    private static final float ERF_LIMIT = 4;

    private static final float ROOT_HALF = (float) Math.sqrt(0.5);
    private static final float DENSITY = (float) (1 / Math.sqrt(2 * Math.PI));
    private static final float SCALE = (float) ScalarFunctions.TANGENT_SCALE;
    private static final float CUBE = (float) ScalarFunctions.TANGENT_CUBE;

    private VectorFloatActivations() {}

    static void erf(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            erfOf(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            erfOf(v).intoArray(y, yo + i, mask);
        }
    }

    static void gelu(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            v.mul(normal(v)).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            v.mul(normal(v)).intoArray(y, yo + i, mask);
        }
    }

    static void geluSlope(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            geluSlopeOf(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            geluSlopeOf(v).intoArray(y, yo + i, mask);
        }
    }

    static void geluTanh(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            tangentOf(v).add(1).mul(v).mul(0.5f).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            tangentOf(v).add(1).mul(v).mul(0.5f).intoArray(y, yo + i, mask);
        }
    }

    static void geluTanhSlope(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            geluTanhSlopeOf(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            geluTanhSlopeOf(v).intoArray(y, yo + i, mask);
        }
    }

    static void silu(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            v.div(power(v.neg()).add(1)).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            v.div(power(v.neg()).add(1)).intoArray(y, yo + i, mask);
        }
    }

    static void siluSlope(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            siluSlopeOf(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            siluSlopeOf(v).intoArray(y, yo + i, mask);
        }
    }

    static void elu(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            eluOf(v, w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            eluOf(v, w).intoArray(y, yo + i, mask);
        }
    }

    static void eluSlope(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            eluSlopeOf(v, w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            eluSlopeOf(v, w).intoArray(y, yo + i, mask);
        }
    }

    static void softplus(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            softplusOf(v, w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            softplusOf(v, w).intoArray(y, yo + i, mask);
        }
    }

    static void softplusSlope(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            softplusSlopeOf(v, w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            softplusSlopeOf(v, w).intoArray(y, yo + i, mask);
        }
    }

    /**
     * A rational function, exact to 4e-7 and one from its limit on; the coefficients are Eigen's.
     */
    private static FloatVector erfOf(FloatVector v) {
        FloatVector x = v.max(-ERF_LIMIT).min(ERF_LIMIT);
        FloatVector s = x.mul(x);
        FloatVector above =
                s.mul(-2.7261424e-10f)
                        .add(2.7706815e-08f)
                        .mul(s)
                        .add(-2.101024e-06f)
                        .mul(s)
                        .add(-5.6925062e-05f)
                        .mul(s)
                        .add(-0.00073499064f)
                        .mul(s)
                        .add(-0.0029546f)
                        .mul(s)
                        .add(-0.016096033f);
        FloatVector below =
                s.mul(-1.45660715e-05f)
                        .add(-0.00021337405f)
                        .mul(s)
                        .add(-0.001682827f)
                        .mul(s)
                        .add(-0.0073733293f)
                        .mul(s)
                        .add(-0.014264739f);
        return x.mul(above).div(below);
    }

    /** {@return the probability that a normally distributed number is smaller} */
    private static FloatVector normal(FloatVector v) {
        return erfOf(v.mul(ROOT_HALF)).add(1).mul(0.5f);
    }

    private static FloatVector geluSlopeOf(FloatVector v) {
        FloatVector density = VectorFloatExponentials.exp(v.mul(v).mul(-0.5f)).mul(DENSITY);
        return normal(v).add(v.mul(density));
    }

    private static FloatVector tangentOf(FloatVector v) {
        return VectorFloatExponentials.tanh(v.mul(v).mul(v).mul(CUBE).add(v).mul(SCALE));
    }

    private static FloatVector geluTanhSlopeOf(FloatVector v) {
        FloatVector tanh = tangentOf(v);
        FloatVector inner = v.mul(v).mul(3 * CUBE).add(1).mul(SCALE);
        FloatVector rest = v.mul(ONE.sub(tanh.mul(tanh))).mul(inner);
        return tanh.add(1).add(rest).mul(0.5f);
    }

    private static FloatVector power(FloatVector v) {
        return VectorFloatExponentials.exp(v);
    }

    private static FloatVector sigmoidOf(FloatVector v) {
        return ONE.div(power(v.neg()).add(1));
    }

    private static FloatVector siluSlopeOf(FloatVector v) {
        FloatVector sigmoid = sigmoidOf(v);
        return sigmoid.mul(v.mul(ONE.sub(sigmoid)).add(1));
    }

    private static FloatVector eluOf(FloatVector v, FloatVector alpha) {
        FloatVector low = VectorFloatExponentials.expm1(v).mul(alpha);
        return v.blend(low, v.compare(VectorOperators.LE, 0));
    }

    private static FloatVector eluSlopeOf(FloatVector v, FloatVector alpha) {
        return ONE.blend(power(v).mul(alpha), v.compare(VectorOperators.LE, 0));
    }

    private static FloatVector softplusOf(FloatVector v, FloatVector limit) {
        FloatVector low = VectorFloatLogarithms.log1p(power(v));
        return low.blend(v, v.compare(VectorOperators.GT, limit));
    }

    private static FloatVector softplusSlopeOf(FloatVector v, FloatVector limit) {
        return sigmoidOf(v).blend(1, v.compare(VectorOperators.GT, limit));
    }

    private static FloatVector load(float[] array, int offset) {
        return FloatVector.fromArray(SPECIES, array, offset);
    }

    private static FloatVector load(float[] array, int offset, VectorMask<Float> mask) {
        return FloatVector.fromArray(SPECIES, array, offset, mask);
    }
}
