package org.gradwire.nn;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Generates uniformly distributed random orthonormal vectors. */
final class Orthonormal {

    private Orthonormal() {}

    /** Return vectors of a dimension, by Gram-Schmidt with reorthogonalization for accuracy. */
    static double[][] basis(int count, int length, RandomGenerator random) {
        double[][] basis = new double[count][length];
        for (int i = 0; i < count; i++) {
            Arrays.setAll(basis[i], _ -> random.nextGaussian());
            for (int twice = 0; twice < 2; twice++) {
                for (int before = 0; before < i; before++) {
                    subtract(basis[i], basis[before]);
                }
                normalize(basis[i]);
            }
        }
        return basis;
    }

    private static void subtract(double[] vector, double[] direction) {
        double part = dot(vector, direction);
        for (int i = 0; i < vector.length; i++) {
            vector[i] -= part * direction[i];
        }
    }

    private static void normalize(double[] vector) {
        double norm = Math.sqrt(dot(vector, vector));
        for (int i = 0; i < vector.length; i++) {
            vector[i] /= norm;
        }
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
