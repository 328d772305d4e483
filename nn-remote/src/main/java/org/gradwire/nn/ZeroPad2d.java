package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * Images with margins of zeros.
 *
 * @param left columns before
 * @param right columns after
 * @param top rows before
 * @param bottom rows after
 */
@WireValue
public record ZeroPad2d(int left, int right, int top, int bottom) implements Layer {

    /** Create one with the same margin on all sides. */
    public ZeroPad2d(int margin) {
        this(margin, margin, margin, margin);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Ops.pad(input, new int[] {left, right, top, bottom}, "constant", null);
    }

    @Override
    public String toString() {
        return "ZeroPad2d((%d, %d, %d, %d))".formatted(left, right, top, bottom);
    }
}
