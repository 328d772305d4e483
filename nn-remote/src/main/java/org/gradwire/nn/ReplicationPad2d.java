package org.gradwire.nn;

import org.gradwire.nn.internal.ParameterTensors;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * Pads images by repeating their border.
 *
 * @param left columns added on the left
 * @param right columns added on the right
 * @param top rows added at the top
 * @param bottom rows added at the bottom
 */
@WireValue
public record ReplicationPad2d(int left, int right, int top, int bottom) implements Layer {

    /** Create a layer with the same padding on all sides. */
    public ReplicationPad2d(int margin) {
        this(margin, margin, margin, margin);
    }

    @Override
    public Tensor forward(Tensor input) {
        if (input.dim() >= 2) {
            long height = (long) input.size(-2) + top + bottom;
            long width = (long) input.size(-1) + left + right;
            var _ = ParameterTensors.count(Math.max(1, height), Math.max(1, width));
        }
        return Ops.pad(input, new int[] {left, right, top, bottom}, "replicate", null);
    }

    @Override
    public String toString() {
        return "ReplicationPad2d((%d, %d, %d, %d))".formatted(left, right, top, bottom);
    }
}
