package org.gradwire.tensor.rule.convolution;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.element.BlockWriter;
import org.gradwire.tensor.kernel.element.Elements;

/**
 * Writes biases to the planes of a convolution's result, to which products are then added: the
 * planes of an image right before its product, while they are in the cache.
 *
 * @param <A> type of the arrays
 */
final class BiasPlanes<A> {
    private final Elements<A> elements;
    private final double[] biases;
    private final int plane;
    private final BlockWriter<A> writer;

    /**
     * Look at a result.
     *
     * @param result {@code [n, o, ...]}
     */
    BiasPlanes(Tensor bias, Tensor result) {
        elements = DTypeAccess.elements(result.dtype());
        biases = bias.toDoubleArray();
        plane = result.numel() / Math.max(1, TensorAccess.dims(result)[0] * biases.length);
        writer = new BlockWriter<>(elements, TensorAccess.strided(result), plane);
    }

    /** Write some planes; they count on from one image to the next. */
    void write(int first, int count) {
        for (int i = first; i < first + count; i++) {
            int at = i * plane;
            elements.fill(writer.array(), writer.offset(at), plane, biases[i % biases.length]);
            writer.store(at, plane);
        }
    }
}
