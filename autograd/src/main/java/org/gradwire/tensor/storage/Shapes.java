package org.gradwire.tensor.storage;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Arithmetic of shapes and strides. The error texts are PyTorch's, which programs match. */
public final class Shapes {

    private static final int[] OF_VECTORS = {1};

    /** Strides of matrices with short rows, by the length of a row. */
    private static final int[][] OF_MATRICES = ofMatrices(64);

    private Shapes() {}

    private static int[][] ofMatrices(int lengths) {
        int[][] strides = new int[lengths][];
        for (int length = 0; length < lengths; length++) {
            strides[length] = new int[] {Math.max(length, 1), 1};
        }
        return strides;
    }

    /** {@return the number of elements} */
    public static int count(int... shape) {
        long count = 1;
        for (int size : shape) {
            if (size < 0) {
                throw new IllegalArgumentException(
                        "Trying to create tensor with negative dimension %d: %s"
                                .formatted(size, Arrays.toString(shape)));
            }
            count *= size;
            if (count > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "a tensor of shape %s has more than %d elements, the most that one may have"
                                .formatted(Arrays.toString(shape), Integer.MAX_VALUE));
            }
        }
        return (int) count;
    }

    /**
     * {@return the strides of a row-major layout; must not be changed, since those of small shapes
     * are shared}
     */
    public static int[] strides(int[] shape) {
        if (shape.length == 1) {
            return OF_VECTORS;
        }
        if (shape.length == 2 && Math.max(shape[1], 0) < OF_MATRICES.length) {
            return OF_MATRICES[Math.max(shape[1], 0)];
        }
        int[] strides = new int[shape.length];
        int step = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            strides[d] = step;
            step *= Math.max(shape[d], 1);
        }
        return strides;
    }

    public static boolean contiguous(int[] shape, int[] strides) {
        int step = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            if (shape[d] == 0) {
                return true;
            }
            if (shape[d] != 1) {
                if (strides[d] != step) {
                    return false;
                }
                step *= shape[d];
            }
        }
        return true;
    }

    /** {@return the shape that two broadcast to} */
    public static int[] broadcast(int[] a, int[] b) {
        if (Arrays.equals(a, b)) {
            return a;
        }
        int[] result = new int[Math.max(a.length, b.length)];
        for (int d = 1; d <= result.length; d++) {
            int left = d <= a.length ? a[a.length - d] : 1;
            int right = d <= b.length ? b[b.length - d] : 1;
            if (left != right && left != 1 && right != 1) {
                throw new IllegalArgumentException(
                        "The size of tensor a (%d) must match the size of tensor b (%d) at non-singleton dimension %d; the shapes are %s and %s"
                                .formatted(
                                        left,
                                        right,
                                        result.length - d,
                                        Arrays.toString(a),
                                        Arrays.toString(b)));
            }
            result[result.length - d] = left == 1 ? right : left;
        }
        return result;
    }

    /** {@return the strides that give a layout the shape to which it broadcasts} */
    public static int[] expandedStrides(int[] dims, int[] strides, int[] shape) {
        if (Arrays.equals(dims, shape)) {
            return strides;
        }
        int[] expanded = new int[shape.length];
        int added = shape.length - dims.length;
        for (int d = 0; d < dims.length; d++) {
            expanded[added + d] = dims[d] == 1 ? 0 : strides[d];
        }
        return expanded;
    }

    /** {@return the index of a dimension that may be counted from the end} */
    public static int dimension(int dim, int dims) {
        int range = Math.max(dims, 1);
        if (dim < -range || dim >= range) {
            throw new IndexOutOfBoundsException(
                    "Dimension out of range (expected to be in range of [%d, %d], but got %d)"
                            .formatted(-range, range - 1, dim));
        }
        return dim < 0 ? dim + range : dim;
    }

    /** {@return as {@link #dimension}, of a tensor that must have one} */
    public static int existing(int dim, int dims) {
        int d = dimension(dim, dims);
        if (dims == 0) {
            throw new IndexOutOfBoundsException(
                    "Dimension specified as %d but tensor has no dimensions".formatted(dim));
        }
        return d;
    }

    /** {@return whether each dimension is one of some, which may be counted from the end} */
    public static boolean[] selection(int[] dims, int count) {
        boolean[] chosen = new boolean[count];
        for (int dim : dims) {
            int d = dimension(dim, count);
            if (count > 0) {
                if (chosen[d]) {
                    throw new IllegalArgumentException(
                            "dim %d appears multiple times in the list of dims".formatted(d));
                }
                chosen[d] = true;
            }
        }
        return chosen;
    }

    /** {@return a shape with its one -1 replaced by what fits} */
    public static int[] inferred(int[] shape, int count) {
        int[] result = shape.clone();
        int unknown = -1;
        long known = 1;
        for (int d = 0; d < shape.length; d++) {
            if (shape[d] == -1 && unknown < 0) {
                unknown = d;
            } else if (shape[d] < 0) {
                throw new IllegalArgumentException(
                        shape[d] == -1
                                ? "only one dimension can be inferred: " + Arrays.toString(shape)
                                : "invalid shape dimension " + shape[d]);
            } else {
                known *= shape[d];
            }
        }
        if (unknown >= 0 && known > 0 && count % known == 0) {
            result[unknown] = (int) (count / known);
            known = count;
        }
        if (known != count || (unknown >= 0 && result[unknown] < 0)) {
            throw new IllegalArgumentException(
                    "shape '%s' is invalid for input of size %d"
                            .formatted(Arrays.toString(shape), count));
        }
        return result;
    }

    /** {@return the strides of a view with another shape; null when that needs a copy} */
    public static int @Nullable [] viewStrides(int[] shape, int[] strides, int[] newShape) {
        if (count(shape) == 0 || contiguous(shape, strides)) {
            return strides(newShape);
        }
        int[] result = new int[newShape.length];
        int d = shape.length - 1;
        int left = 1; // elements of the current run of evenly spaced dimensions not yet used
        int step = 1;
        for (int to = newShape.length - 1; to >= 0; to--) {
            if (left == 1 && newShape[to] != 1) {
                while (shape[d] == 1) {
                    d--;
                }
                left = shape[d];
                step = strides[d];
                d--;
                while (d >= 0 && (shape[d] == 1 || strides[d] == left * step)) {
                    left *= shape[d];
                    d--;
                }
            }
            if (left % newShape[to] != 0) {
                return null;
            }
            result[to] = step;
            step *= newShape[to];
            left /= newShape[to];
        }
        return result;
    }

    /** {@return a shape without one dimension} */
    public static int[] without(int[] shape, int dim) {
        int[] result = new int[shape.length - 1];
        System.arraycopy(shape, 0, result, 0, dim);
        System.arraycopy(shape, dim + 1, result, dim, result.length - dim);
        return result;
    }

    /** {@return a shape with one more dimension} */
    public static int[] with(int[] shape, int dim, int size) {
        int[] result = new int[shape.length + 1];
        System.arraycopy(shape, 0, result, 0, dim);
        result[dim] = size;
        System.arraycopy(shape, dim, result, dim + 1, shape.length - dim);
        return result;
    }

    /** {@return {@code 3x6}, as PyTorch writes the shape of a matrix} */
    public static String times(int[] shape) {
        return Arrays.stream(shape)
                .mapToObj(Integer::toString)
                .collect(java.util.stream.Collectors.joining("x"));
    }
}
