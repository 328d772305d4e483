package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * Images with margins that mirror them, without the border itself.
 *
 * @param left columns before
 * @param right columns after
 * @param top rows before
 * @param bottom rows after
 */
@WireValue
public record ReflectionPad2d(int left, int right, int top, int bottom) implements Layer {

    /** Create one with the same margin on all sides. */
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
