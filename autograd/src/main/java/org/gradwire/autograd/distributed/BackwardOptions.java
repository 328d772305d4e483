package org.gradwire.autograd.distributed;

/**
 * The options of a distributed backward pass. Immutable.
 *
 * {@snippet :
 * context.backward(BackwardOptions.smart().retainGraph(), loss);
 * }
 *
 * @param mode the choice of the sent tensors of the context that take part
 * @param retainsGraph whether the graph and its saved values are kept for another pass
 */
public record BackwardOptions(BackwardMode mode, boolean retainsGraph) {

    /** {@return the options of a pass in {@link BackwardMode#FAST} that frees the graph} */
    public static BackwardOptions fast() {
        return new BackwardOptions(BackwardMode.FAST, false);
    }

    /** {@return the options of a pass in {@link BackwardMode#SMART} that frees the graph} */
    public static BackwardOptions smart() {
        return new BackwardOptions(BackwardMode.SMART, false);
    }

    /** {@return these options with the graph kept for another pass} */
    public BackwardOptions retainGraph() {
        return new BackwardOptions(mode, true);
    }
}
