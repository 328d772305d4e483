package org.gradwire.autograd.distributed;

/**
 * How a distributed backward pass runs. Immutable.
 *
 * {@snippet :
 * context.backward(BackwardOptions.smart().retainGraph(), loss);
 * }
 *
 * @param mode which of the tensors that were sent in the context take part
 * @param retainsGraph whether the graph and what it saved stay for another pass
 */
public record BackwardOptions(BackwardMode mode, boolean retainsGraph) {

    /** {@return a pass in {@link BackwardMode#FAST} that frees the graph} */
    public static BackwardOptions fast() {
        return new BackwardOptions(BackwardMode.FAST, false);
    }

    /** {@return a pass in {@link BackwardMode#SMART} that frees the graph} */
    public static BackwardOptions smart() {
        return new BackwardOptions(BackwardMode.SMART, false);
    }

    /** {@return the same pass, which keeps the graph for another one} */
    public BackwardOptions retainGraph() {
        return new BackwardOptions(mode, true);
    }
}
