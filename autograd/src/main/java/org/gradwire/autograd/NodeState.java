package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.rule.GradientArithmetic;
import org.gradwire.tensor.storage.CurrentDevice;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The state of one node in a {@link GraphTask}: its open dependencies and its accumulated
 * gradients.
 */
final class NodeState {
    private static final @Nullable Tensor[] NO_GRADIENTS = {};
    private static final boolean[] NO_FLAGS = {};
    private static final @Nullable NodeState[] NO_STATES = {};

    final Node node;
    int awaited;

    /** The states of the nodes that the edges lead to, in order; null where an edge is missing. */
    @Nullable NodeState[] next = NO_STATES;

    /** True if the node is applied. */
    boolean runs = true;

    /** True if the gradients are collected, to apply the node or to capture them. */
    boolean wanted = true;

    private @Nullable List<BackwardTargets.Capture> captures;
    private List<Summand> summands = List.of();
    boolean[] exclusive = NO_FLAGS;
    private @Nullable Tensor[] gradients = NO_GRADIENTS;

    /** A gradient that is yet to be added to an input's accumulated gradient. */
    private record Summand(int index, Tensor gradient, boolean exclusive) {}

    NodeState(Node node) {
        this.node = node;
    }

    /** Allocate the gradients of the given number of inputs. */
    void size(int inputs) {
        if (gradients.length < inputs) {
            gradients = Arrays.copyOf(gradients, inputs);
            exclusive = Arrays.copyOf(exclusive, inputs);
        }
    }

    /**
     * Add a gradient of an input.
     *
     * @return whether it is yet to be added to the input's accumulated gradient, see {@link #sum}
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

    /** Sum the gradients of each input. */
    void sum() {
        for (Summand summand : summands) {
            addTo(summand.index, summand.gradient, summand.exclusive);
        }
        summands = List.of();
    }

    private void addTo(int index, Tensor gradient, boolean isExclusive) {
        Tensor sum = Objects.requireNonNull(gradients[index]);
        if (exclusive[index] && sum.isContiguous() && sum.dtype() == gradient.dtype()) {
            GradientArithmetic.addInPlace(sum, gradient, 1);
            if (isExclusive && !TensorAccess.storage(sum).shares(TensorAccess.storage(gradient))) {
                TensorAccess.storage(gradient).giveBack();
            }
        } else {
            gradients[index] =
                    CurrentDevice.on(sum.device(), () -> GradientArithmetic.add(sum, gradient));
            exclusive[index] = true;
        }
    }

    /** Register a capture of a tensor's gradient. */
    void captureFor(BackwardTargets.Capture capture) {
        List<BackwardTargets.Capture> all = captures;
        if (all == null) {
            all = new ArrayList<>(1);
            captures = all;
        }
        all.add(capture);
    }

    boolean isCaptured() {
        return captures != null;
    }

    /** Pass the accumulated gradients to the captures. */
    void capture(@Nullable Tensor[] gradients, boolean[] isExclusive) {
        List<BackwardTargets.Capture> all = captures;
        if (all == null) {
            return;
        }
        for (BackwardTargets.Capture capture : all) {
            int index = capture.inputIndex();
            Tensor gradient = gradients[index];
            if (gradient != null) {
                boolean alone = all.size() == 1 && !runs && isExclusive[index];
                capture.taker().accept(gradient, alone);
            }
        }
    }

    /** Return the accumulated gradients and release them. */
    @Nullable Tensor[] take() {
        @Nullable Tensor[] all = gradients;
        gradients = NO_GRADIENTS;
        return all;
    }
}
