package org.gradwire.nn.internal;

import org.gradwire.tensor.Tensor;

/** The scores of scaled dot-product attention. */
public final class AttentionScores {

    private AttentionScores() {}

    /**
     * Return {@code query key^T / sqrt(d)}.
     *
     * @param query {@code [..., l, d]}
     * @param key {@code [..., s, d]}
     * @return {@code [..., l, s]}
     */
    public static Tensor of(Tensor query, Tensor key) {
        double scale = 1 / Math.sqrt(query.size(-1));
        return query.mul(scale).matmul(key.transpose(-2, -1));
    }
}
