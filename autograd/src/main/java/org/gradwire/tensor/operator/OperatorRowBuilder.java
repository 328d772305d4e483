package org.gradwire.tensor.operator;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.operator.OperatorRow.Forward;
import org.gradwire.tensor.operator.OperatorRow.Gradient;
import org.gradwire.tensor.operator.OperatorRow.InputGradient;
import org.gradwire.tensor.operator.OperatorRow.Samples;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.sample.ErrorSample;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Builder of an {@link OperatorRow}; {@link #samples} builds it. */
final class OperatorRowBuilder {
    /**
     * Maximum number of elements for which any elementwise function takes at most some
     * microseconds.
     */
    private static final int LIGHT_ELEMENTS = 1024;

    final Signature signature;
    final @Nullable String nodeName;
    final boolean differentiable;
    Keep keep = Keep.NOTHING;
    @Nullable Gradient gradient;
    @Nullable Forward forward;
    Predicate<Args> runsOnPoller = args -> OperatorRow.elements(args) <= LIGHT_ELEMENTS;
    final List<ErrorSample.Samples> refusals = new ArrayList<>();
    boolean refusesSparse;
    List<OperatorRow> sparse = List.of();
    Predicate<Args> when = _ -> true;
    boolean anyLayout;
    boolean anyType;
    boolean roundsOnce;
    boolean isProduct;
    boolean sparseGradients;

    OperatorRowBuilder(Signature signature, @Nullable String nodeName, boolean differentiable) {
        this.signature = signature;
        this.nodeName = nodeName;
        this.differentiable = differentiable;
    }

    OperatorRowBuilder forward(Forward rule) {
        forward = rule;
        return this;
    }

    OperatorRowBuilder keep(Keep kept) {
        keep = kept;
        return this;
    }

    /** Set a gradient rule for each differentiable input, in order. */
    OperatorRowBuilder gradient(InputGradient... rules) {
        gradient =
                (saved, gradients) -> {
                    var results = new @Nullable Tensor[saved.inputs()];
                    Tensor result = gradients[0];
                    for (int i = 0; i < rules.length && result != null; i++) {
                        if (saved.needs(i)) {
                            results[i] = rules[i].apply(saved, result);
                        }
                    }
                    return results;
                };
        return this;
    }

    /** Set one gradient rule for all inputs and results. */
    OperatorRowBuilder gradients(Gradient rule) {
        gradient = rule;
        return this;
    }

    OperatorRowBuilder runsOnPoller(Predicate<Args> test) {
        runsOnPoller = test;
        return this;
    }

    /**
     * Set the variants for sparse arguments, of which the first {@linkplain #when applicable} one
     * runs. Without one, sparse tensors are refused.
     */
    OperatorRowBuilder sparse(OperatorRow... variants) {
        sparse = List.of(variants);
        return this;
    }

    /** Set the arguments to which a variant applies. */
    OperatorRowBuilder when(Predicate<Args> test) {
        when = test;
        return this;
    }

    /** Declare that the rules accept any layout. */
    OperatorRowBuilder anyLayout() {
        anyLayout = true;
        return sparseGradients();
    }

    /**
     * Declare that the rules accept any type, such as views and copies. Others receive float32
     * instead of float16 and bfloat16.
     */
    OperatorRowBuilder anyType() {
        anyType = true;
        return this;
    }

    /**
     * Declare that results in float16 and bfloat16 are rounded once, though the row is composite:
     * PyTorch has a fused kernel.
     */
    OperatorRowBuilder roundsOnce() {
        roundsOnce = true;
        return this;
    }

    /**
     * Declare that the row is a matrix product, which a device may compute of float16 and bfloat16
     * themselves, adding up in float32.
     */
    OperatorRowBuilder isProduct() {
        isProduct = true;
        return this;
    }

    /** Declare that the gradient rules accept sparse gradients; otherwise they are refused. */
    OperatorRowBuilder sparseGradients() {
        sparseGradients = true;
        return this;
    }

    /** Add error samples. They are made lazily. */
    OperatorRowBuilder refuses(ErrorSample.Samples... more) {
        refusals.addAll(List.of(more));
        return this;
    }

    /**
     * Add an error sample: the first sample with sparse tensors. For functions that accept all
     * dense tensors it is the only one.
     */
    OperatorRowBuilder refusesSparse() {
        refusesSparse = true;
        return this;
    }

    OperatorRow samples(Samples samples) {
        Forward rule = forward;
        if (rule == null || (nodeName != null && gradient == null)) {
            throw new IllegalStateException(signature.name() + " lacks a rule");
        }
        return new OperatorRow(this, rule, samples);
    }
}
