package org.gradwire.nn.transformer;

import org.gradwire.nn.internal.AttentionScores;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * One forward computation of a {@link MultiheadAttention}, internally with the batch as the first
 * dimension.
 */
record Attention(
        MultiheadAttention.Configuration configuration,
        MultiheadAttention.Options options,
        AttentionProjections attentionProjections) {

    MultiheadAttention.Output forward(
            Tensor query, Tensor key, Tensor value, UnaryOperator<Tensor> dropout) {
        check(query, key, value);
        boolean single = query.dim() == 2;
        Tensor q = heads(attentionProjections.query(batched(query)));
        Tensor k = heads(attentionProjections.key(batched(key)));
        Tensor v = heads(attentionProjections.value(batched(value)));
        Tensor scores = masked(AttentionScores.of(q, k));
        Tensor weights = dropout.apply(scores.softmax(-1));
        Tensor joined = weights.matmul(v).transpose(1, 2).flatten(2, 3);
        Tensor output = attentionProjections.output(joined);
        return new MultiheadAttention.Output(
                single ? output.squeeze(0) : batchFirst() ? output : output.transpose(0, 1),
                options.needWeights() ? Optional.of(shown(weights, single)) : Optional.empty());
    }

    private boolean batchFirst() {
        return configuration.batchFirst();
    }

    private void check(Tensor query, Tensor key, Tensor value) {
        if (query.dim() != 2 && query.dim() != 3) {
            throw new IllegalArgumentException(
                    "query should be unbatched 2D or batched 3D tensor but received %d-D query tensor"
                            .formatted(query.dim()));
        }
        if (key.dim() != query.dim() || value.dim() != query.dim()) {
            throw new IllegalArgumentException(
                    "For a %d-D query, expected key and value to be %d-D but found %d-D and %d-D tensors respectively"
                            .formatted(query.dim(), query.dim(), key.dim(), value.dim()));
        }
        requireSize("query", query, configuration.embedDim());
        requireSize("key", key, configuration.kdim());
        requireSize("value", value, configuration.vdim());
        if (!Arrays.equals(
                Arrays.copyOf(key.shape(), key.dim() - 1),
                Arrays.copyOf(value.shape(), value.dim() - 1))) {
            throw new IllegalArgumentException(
                    "key's sequence and batch dims %s do not match value's %s"
                            .formatted(
                                    Arrays.toString(key.shape()), Arrays.toString(value.shape())));
        }
    }

    private static void requireSize(String name, Tensor tensor, int size) {
        if (tensor.size(-1) != size) {
            throw new IllegalArgumentException(
                    "was expecting a last dimension of %d of the %s, but got %s"
                            .formatted(size, name, Arrays.toString(tensor.shape())));
        }
    }

    private Tensor batched(Tensor input) {
        return input.dim() == 2 ? input.unsqueeze(0) : batchFirst() ? input : input.transpose(0, 1);
    }

    /** Split the last dimension into heads: {@code [n, heads, length, size]}. */
    private Tensor heads(Tensor x) {
        int count = configuration.numHeads();
        return x.unflatten(-1, count, x.size(-1) / count).transpose(1, 2);
    }

    /** Apply masks to scores {@code [n, heads, l, s]}. */
    private Tensor masked(Tensor scores) {
        Tensor result = scores;
        Tensor attention = options.attnMask();
        if (attention != null) {
            result = masked(result, attentionMask(attention, scores.shape()));
        }
        Tensor padding = options.keyPaddingMask();
        if (padding != null) {
            result = masked(result, paddingMask(padding, scores.shape()));
        }
        return result;
    }

    private static Tensor attentionMask(Tensor mask, int[] scores) {
        int[] plain = {scores[2], scores[3]};
        int[] ofHeads = {scores[0] * scores[1], scores[2], scores[3]};
        if (Arrays.equals(mask.shape(), plain)) {
            return mask;
        }
        if (!Arrays.equals(mask.shape(), ofHeads)) {
            throw new IllegalArgumentException(
                    "The shape of the attnMask is %s, but should be %s or %s"
                            .formatted(
                                    Arrays.toString(mask.shape()),
                                    Arrays.toString(plain),
                                    Arrays.toString(ofHeads)));
        }
        return mask.reshape(scores);
    }

    private static Tensor paddingMask(Tensor mask, int[] scores) {
        int[] expected = {scores[0], scores[3]};
        Tensor batch = mask.dim() == 1 ? mask.unsqueeze(0) : mask;
        if (!Arrays.equals(batch.shape(), expected)) {
            throw new IllegalArgumentException(
                    "expecting keyPaddingMask shape of %s, but got %s"
                            .formatted(Arrays.toString(expected), Arrays.toString(mask.shape())));
        }
        return batch.unsqueeze(1).unsqueeze(1);
    }

    private static Tensor masked(Tensor scores, Tensor mask) {
        return mask.dtype() == DType.BOOL
                ? scores.maskedFill(mask, Double.NEGATIVE_INFINITY)
                : scores.add(mask);
    }

    private Tensor shown(Tensor weights, boolean single) {
        Tensor all = options.averageWeights() ? weights.mean(1) : weights;
        return single ? all.squeeze(0) : all;
    }
}
