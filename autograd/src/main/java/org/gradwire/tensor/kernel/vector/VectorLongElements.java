package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;

import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.LongElements;

import java.lang.foreign.MemorySegment;

/**
 * Kernels of int64 through the Vector API: sums, differences and products. Other functions use the
 * plain kernels.
 */
public final class VectorLongElements extends LongElements {
    private static final VectorSpecies<Long> SPECIES = LongVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    @Override
    public void binary(
            Binary function, long[] a, int ao, long[] b, int bo, long[] y, int yo, int n) {
        int whole = n - n % LANES;
        switch (function) {
            case ADD -> add(a, ao, b, bo, y, yo, whole);
            case SUB -> sub(a, ao, b, bo, y, yo, whole);
            case MUL -> mul(a, ao, b, bo, y, yo, whole);
            default -> whole = 0;
        }
        if (whole < n) {
            super.binary(function, a, ao + whole, b, bo + whole, y, yo + whole, n - whole);
        }
    }

    private static void add(long[] a, int ao, long[] b, int bo, long[] y, int yo, int n) {
        for (int i = 0; i < n; i += LANES) {
            load(a, ao + i).add(load(b, bo + i)).intoArray(y, yo + i);
        }
    }

    private static void sub(long[] a, int ao, long[] b, int bo, long[] y, int yo, int n) {
        for (int i = 0; i < n; i += LANES) {
            load(a, ao + i).sub(load(b, bo + i)).intoArray(y, yo + i);
        }
    }

    private static void mul(long[] a, int ao, long[] b, int bo, long[] y, int yo, int n) {
        for (int i = 0; i < n; i += LANES) {
            load(a, ao + i).mul(load(b, bo + i)).intoArray(y, yo + i);
        }
    }

    @Override
    public boolean binaryNative(
            Binary function, MemorySegment a, MemorySegment b, MemorySegment y, int n) {
        switch (function) {
            case ADD -> VectorLongNative.add(a, b, y, n);
            case SUB -> VectorLongNative.sub(a, b, y, n);
            case MUL -> VectorLongNative.mul(a, b, y, n);
            default -> {
                return false;
            }
        }
        return true;
    }

    @Override
    protected void addScaled(long factor, long[] x, int xo, long[] y, int yo, int n) {
        int whole = n - n % LANES;
        LongVector factors = LongVector.broadcast(SPECIES, factor);
        for (int i = 0; i < whole; i += LANES) {
            load(y, yo + i).add(load(x, xo + i).mul(factors)).intoArray(y, yo + i);
        }
        super.addScaled(factor, x, xo + whole, y, yo + whole, n - whole);
    }

    private static LongVector load(long[] array, int offset) {
        return LongVector.fromArray(SPECIES, array, offset);
    }
}
