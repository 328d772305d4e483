package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * Pads images by reflection, without repeating the border.
 *
 * @param left columns added on the left
 * @param right columns added on the right
 * @param top rows added at the top
 * @param bottom rows added at the bottom
 */
@WireValue
public record ReflectionPad2d(int left, int right, int top, int bottom) implements Layer {

    /** Create a layer with the same padding on all sides. */
    public ReflectionPad2d(int margin) {
        this(margin, margin, margin, margin);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Ops.pad(input, new int[] {left, right, top, bottom}, "reflect", null);
    }

    @Override
    public String toString() {
        return "ReflectionPad2d((%d, %d, %d, %d))".formatted(left, right, top, bottom);
    }
}
