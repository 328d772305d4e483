package org.gradwire.tensor.rule;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.storage.Shapes;

import java.util.Arrays;
import java.util.List;

/** {@code matmul} and matrix chains, made of other operators, which define the gradients. */
public final class MatmulRules {

    private MatmulRules() {}

    /** Multiply tensors of any rank, as NumPy's matmul does. */
    public static Tensor matmul(Tensor a, Tensor b) {
        if (TensorAccess.dims(a).length == 2 && TensorAccess.dims(b).length == 2) {
            return Ops.mm(a, b);
        }
        if (TensorAccess.dims(a).length == 0 || TensorAccess.dims(b).length == 0) {
            throw new IllegalArgumentException(
                    "both arguments to matmul need to be at least 1D, but they are %dD and %dD"
                            .formatted(TensorAccess.dims(a).length, TensorAccess.dims(b).length));
        }
        if (TensorAccess.dims(a).length == 1) {
            return TensorAccess.dims(b).length == 1
                    ? Ops.dot(a, b)
                    : Ops.squeeze(matmul(Ops.unsqueeze(a, 0), b), -2);
        }
        if (TensorAccess.dims(b).length == 1) {
            return TensorAccess.dims(a).length == 2
                    ? Ops.mv(a, b)
                    : Ops.squeeze(matmul(a, Ops.unsqueeze(b, 1)), -1);
        }
        return TensorAccess.dims(b).length == 2 ? matmulRows(a, b) : matmulBatches(a, b);
    }

    /** One matrix on the right: all rows on the left can be multiplied at once. */
    private static Tensor matmulRows(Tensor a, Tensor b) {
        int inner = TensorAccess.dims(a)[TensorAccess.dims(a).length - 1];
        int rows = inner == 0 ? Shapes.count(withoutLast(TensorAccess.dims(a))) : a.numel() / inner;
        int[] shape = TensorAccess.dims(a).clone();
        shape[shape.length - 1] = TensorAccess.dims(b)[1];
        return Ops.mm(a.reshape(rows, inner), b).reshape(shape);
    }

    private static int[] withoutLast(int[] shape) {
        return Arrays.copyOf(shape, shape.length - 1);
    }

    private static Tensor matmulBatches(Tensor a, Tensor b) {
        int[] aMatrix = lastTwo(TensorAccess.dims(a));
        int[] bMatrix = lastTwo(TensorAccess.dims(b));
        int[] batch = Shapes.broadcast(batch(TensorAccess.dims(a)), batch(TensorAccess.dims(b)));
        int count = Shapes.count(batch);
        Tensor left = a.expand(joined(batch, aMatrix)).reshape(count, aMatrix[0], aMatrix[1]);
        Tensor right = b.expand(joined(batch, bMatrix)).reshape(count, bMatrix[0], bMatrix[1]);
        return Ops.bmm(left, right).reshape(joined(batch, new int[] {aMatrix[0], bMatrix[1]}));
    }

    private static int[] batch(int[] shape) {
        return Arrays.copyOf(shape, shape.length - 2);
    }

    private static int[] lastTwo(int[] shape) {
        return Arrays.copyOfRange(shape, shape.length - 2, shape.length);
    }

    private static int[] joined(int[] first, int[] second) {
        int[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    /**
     * Multiply a chain of matrices in the order with the fewest multiplications. The first and the
     * last may be vectors.
     */
    public static Tensor multiDot(List<Tensor> tensors) {
        if (tensors.size() < 2) {
            throw new IllegalArgumentException(
                    "multi_dot(): expected at least 2 tensors but got " + tensors.size());
        }
        Tensor[] chain = tensors.toArray(new Tensor[0]);
        int last = chain.length - 1;
        boolean row = TensorAccess.dims(chain[0]).length == 1;
        boolean column = TensorAccess.dims(chain[last]).length == 1;
        chain[0] = row ? Ops.unsqueeze(chain[0], 0) : chain[0];
        chain[last] = column ? Ops.unsqueeze(chain[last], 1) : chain[last];
        checkChain(chain);
        Tensor product = multiply(chain, bestSplits(chain), 0, last);
        Tensor result = column ? Ops.squeeze(product, -1) : product;
        return row ? Ops.squeeze(result, 0) : result;
    }

    private static void checkChain(Tensor[] chain) {
        for (int i = 0; i < chain.length; i++) {
            if (TensorAccess.dims(chain[i]).length != 2) {
                throw new IllegalArgumentException(
                        "multi_dot(): tensor %d must be 2D but got %dD"
                                .formatted(i, TensorAccess.dims(chain[i]).length));
            }
            if (i > 0 && TensorAccess.dims(chain[i - 1])[1] != TensorAccess.dims(chain[i])[0]) {
                throw new IllegalArgumentException(
                        "multi_dot(): tensors %d and %d with shapes %s and %s cannot be multiplied"
                                .formatted(
                                        i - 1,
                                        i,
                                        Arrays.toString(TensorAccess.dims(chain[i - 1])),
                                        Arrays.toString(TensorAccess.dims(chain[i]))));
            }
        }
    }

    /** {@return for each part of the chain, from-to, after which matrix to split it} */
    private static int[][] bestSplits(Tensor[] chain) {
        int n = chain.length;
        long[][] cost = new long[n][n];
        int[][] split = new int[n][n];
        for (int length = 1; length < n; length++) {
            for (int from = 0; from + length < n; from++) {
                int to = from + length;
                cost[from][to] = Long.MAX_VALUE;
                for (int at = from; at < to; at++) {
                    long own =
                            (long) TensorAccess.dims(chain[from])[0]
                                    * TensorAccess.dims(chain[at])[1]
                                    * TensorAccess.dims(chain[to])[1];
                    long total = cost[from][at] + cost[at + 1][to] + own;
                    if (total < cost[from][to]) {
                        cost[from][to] = total;
                        split[from][to] = at;
                    }
                }
            }
        }
        return split;
    }

    private static Tensor multiply(Tensor[] chain, int[][] split, int from, int to) {
        if (from == to) {
            return chain[from];
        }
        int at = split[from][to];
        return Ops.mm(multiply(chain, split, from, at), multiply(chain, split, at + 1, to));
    }
}
