package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** What a {@link GraphTask} knows of one node: how many edges it waits for, and what came in. */
final class Visit {
    private static final @Nullable Tensor[] NO_GRADIENTS = {};
    private static final boolean[] NO_FLAGS = {};
    private static final @Nullable Visit[] NO_VISITS = {};

    final Node node;
    int awaited;

    /** What the node's edges lead to, in their order; null where there is no edge. */
    @Nullable Visit[] next = NO_VISITS;

    /**
     * Whether the node is applied, and whether its gradients are gathered, be it to be captured.
     */
    boolean runs = true;

    boolean wanted = true;

    private @Nullable List<Targets.Capture> captures;
    private List<Summand> summands = List.of();
    boolean[] exclusive = NO_FLAGS;
    private @Nullable Tensor[] gradients = NO_GRADIENTS;

    /** A gradient that is to be added to what came in for an input before. */
    private record Summand(int index, Tensor gradient, boolean exclusive) {}

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

    /**
     * Take a gradient for an input.
     *
     * @return whether it is yet to be added to what came in for the input before, see {@link #sum}
     */
    boolean add(int index, int inputs, Tensor gradient, boolean isExclusive) {
        size(inputs);
        if (gradients[index] != null) {
            if (summands.isEmpty()) {
                summands = new ArrayList<>(1);
            }
            summands.add(new Summand(index, gradient, isExclusive));
            return true;
        }
        gradients[index] = gradient;
        exclusive[index] = isExclusive;
        return false;
    }

    /** Add up what came in for the same input. */
    void sum() {
        for (Summand summand : summands) {
            addTo(summand.index, summand.gradient, summand.exclusive);
        }
        summands = List.of();
    }

    private void addTo(int index, Tensor gradient, boolean isExclusive) {
        Tensor sum = Objects.requireNonNull(gradients[index]);
        if (exclusive[index] && sum.isContiguous() && sum.dtype() == gradient.dtype()) {
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
