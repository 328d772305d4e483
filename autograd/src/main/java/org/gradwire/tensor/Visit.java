package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a {@link GraphTask} knows of one node: how many edges it waits for, and what came in. */
final class Visit {
    private static final @Nullable Tensor[] NO_GRADIENTS = {};
    private static final boolean[] NO_FLAGS = {};

    final Node node;
    int awaited;

    /**
     * Whether the node is applied, and whether its gradients are gathered, be it to be captured.
     */
    boolean runs = true;

    boolean wanted = true;

    private @Nullable List<Targets.Capture> captures;
    boolean[] exclusive = NO_FLAGS;
    private @Nullable Tensor[] gradients = NO_GRADIENTS;

    Visit(Node node) {
        this.node = node;
    }

    /** Make room for the gradients of so many inputs. */
    void size(int inputs) {
        if (gradients.length < inputs) {
            gradients = Arrays.copyOf(gradients, inputs);
            exclusive = Arrays.copyOf(exclusive, inputs);
        }
    }

    /** Add a gradient to what came in for an input. */
    void add(int index, int inputs, Tensor gradient, boolean isExclusive) {
        size(inputs);
        Tensor sum = gradients[index];
        if (sum == null) {
            gradients[index] = gradient;
            exclusive[index] = isExclusive;
        } else if (exclusive[index] && sum.isContiguous() && sum.dtype() == gradient.dtype()) {
            AnyLayout.addInPlace(sum, gradient, 1);
            if (isExclusive && !sum.storage().shares(gradient.storage())) {
                gradient.storage().giveBack();
            }
        } else {
            gradients[index] = Devices.on(sum.device(), () -> AnyLayout.add(sum, gradient));
            exclusive[index] = true;
        }
    }

    /** Have what comes in for a tensor captured. */
    void captureFor(Targets.Capture capture) {
        List<Targets.Capture> all = captures;
        if (all == null) {
            all = new ArrayList<>(1);
            captures = all;
        }
        all.add(capture);
    }

    boolean isCaptured() {
        return captures != null;
    }

    /** Give what came in to those who capture it. */
    void capture(@Nullable Tensor[] gradients, boolean[] isExclusive) {
        List<Targets.Capture> all = captures;
        if (all == null) {
            return;
        }
        for (Targets.Capture capture : all) {
            int index = capture.inputIndex();
            Tensor gradient = gradients[index];
            if (gradient != null) {
                boolean alone = all.size() == 1 && !runs && isExclusive[index];
                capture.taker().accept(gradient, alone);
            }
        }
    }

    /** Return what came in and forget it. */
    @Nullable Tensor[] take() {
        @Nullable Tensor[] all = gradients;
        gradients = NO_GRADIENTS;
        return all;
    }
}
