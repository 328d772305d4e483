package org.gradwire.tensor;

import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.Scope;
import org.gradwire.rpc.FunctionSchema;
import org.gradwire.spi.Operator;
import org.gradwire.tensor.Saved.Keep;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * One operator: its signature, its forward rule, what its gradient needs to keep, its gradient,
 * sample inputs that tests run over, and error samples: inputs that it refuses.
 *
 * <p>Rules see plain tensors and record nothing; the row records, and the engine sums gradients
 * over what was broadcast, casts and accumulates them.
 */
final class OperatorRow implements Operator {
    /** Elements that take some microseconds at most, for any elementwise function. */
    private static final int LIGHT_ELEMENTS = 1024;

    private final Signature signature;
    private final @Nullable String nodeName;
    private final boolean differentiable;
    private final Forward forward;
    private final Keep keep;
    private final @Nullable Gradient gradient;
    private final Predicate<Args> light;
    private final Samples samples;
    private final List<Refusal.Samples> refusals;
    private final boolean refusesSparse;
    private final List<OperatorRow> sparse;
    private final Predicate<Args> when;
    private final boolean anyLayout;
    private final boolean anyType;
    private final boolean roundsOnce;
    private final boolean sparseGradients;

    /** Computes an operator. */
    @FunctionalInterface
    interface Forward {
        /** Return a tensor or a list of tensors, or one of these as {@link Computed}. */
        Object apply(Args args);
    }

    /**
     * What a forward rule gives that comes by more than its result.
     *
     * @param result a tensor or a list of tensors
     * @param extra for the gradient: statistics, say, or positions; see {@link Saved#extra}
     */
    record Computed(Object result, Object extra) {}

    /** Computes the gradients of all inputs from those of all results. */
    @FunctionalInterface
    interface Gradient {
        /** Return one for each input, null where it is zero or not wanted. */
        @Nullable Tensor[] apply(Saved saved, @Nullable Tensor[] gradients);
    }

    /** Computes the gradient of one input from that of the one result. */
    @FunctionalInterface
    interface InputGradient {
        /** Return the gradient; it may still be broadcast, or of a wider type. */
        Tensor apply(Saved saved, Tensor gradient);
    }

    /** Gives arguments to try an operator on. */
    @FunctionalInterface
    interface Samples {
        /**
         * Return at least one list of arguments. Float64 tensors in it require gradients; if the
         * row is differentiable, one of the lists has some.
         */
        List<@Nullable Object[]> of(Sampler sampler);
    }

    private OperatorRow(Builder builder, Forward forward, Samples samples) {
        this.signature = builder.signature;
        this.nodeName = builder.nodeName;
        this.differentiable = builder.differentiable;
        this.keep = builder.keep;
        this.gradient = builder.gradient;
        this.light = builder.light;
        this.forward = forward;
        this.samples = samples;
        this.refusals = List.copyOf(builder.refusals);
        this.refusesSparse = builder.refusesSparse;
        this.sparse = builder.sparse;
        this.when = builder.when;
        this.anyLayout = builder.anyLayout;
        this.anyType = builder.anyType;
        this.roundsOnce = builder.roundsOnce;
        this.sparseGradients = builder.sparseGradients;
    }

    /**
     * Begin a row with a gradient of its own.
     *
     * @param declaration {@code aten::sum.dim_IntList(Tensor self, int[] dim, boolean keepdim)}
     * @param nodeName PyTorch's name of its node
     */
    static Builder differentiable(String declaration, String nodeName) {
        return new Builder(Signature.parse(declaration), nodeName, true);
    }

    /** Begin a row that is made of other operators, whose gradients it has. */
    static Builder composite(String declaration) {
        return new Builder(Signature.parse(declaration), null, true);
    }

    /** Begin a row whose results have no gradient, whatever its inputs have. */
    static Builder plain(String declaration) {
        return new Builder(Signature.parse(declaration), null, false);
    }

    /** Gathers the parts of a row. */
    static final class Builder {
        private final Signature signature;
        private final @Nullable String nodeName;
        private final boolean differentiable;
        private Keep keep = Keep.NOTHING;
        private @Nullable Gradient gradient;
        private @Nullable Forward forward;
        private Predicate<Args> light = args -> elements(args) <= LIGHT_ELEMENTS;
        private final List<Refusal.Samples> refusals = new ArrayList<>();
        private boolean refusesSparse;
        private List<OperatorRow> sparse = List.of();
        private Predicate<Args> when = _ -> true;
        private boolean anyLayout;
        private boolean anyType;
        private boolean roundsOnce;
        private boolean sparseGradients;

        private Builder(Signature signature, @Nullable String nodeName, boolean differentiable) {
            this.signature = signature;
            this.nodeName = nodeName;
            this.differentiable = differentiable;
        }

        Builder forward(Forward rule) {
            forward = rule;
            return this;
        }

        Builder keep(Keep kept) {
            keep = kept;
            return this;
        }

        /** Give a rule for each input that can have a gradient, in order. */
        Builder gradient(InputGradient... rules) {
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

        /** Give one rule for all inputs and results. */
        Builder gradients(Gradient rule) {
            gradient = rule;
            return this;
        }

        Builder light(Predicate<Args> test) {
            light = test;
            return this;
        }

        /**
         * Say what is done instead when a tensor among the arguments is sparse: by the first
         * variant that is {@linkplain #when for them}. Without one, sparse tensors are refused.
         */
        Builder sparse(OperatorRow... variants) {
            sparse = List.of(variants);
            return this;
        }

        /** Say which arguments a variant is for. */
        Builder when(Predicate<Args> test) {
            when = test;
            return this;
        }

        /** Say that the rules look at the layout themselves. */
        Builder anyLayout() {
            anyLayout = true;
            return sparseGradients();
        }

        /**
         * Say that the rules take elements as they are, whatever their type: views, say, and
         * copies. Others see float32 in place of float16 and bfloat16.
         */
        Builder anyType() {
            anyType = true;
            return this;
        }

        /**
         * Say that results in float16 and bfloat16 are rounded once, though the row is made of
         * others: PyTorch has a kernel for it.
         */
        Builder roundsOnce() {
            roundsOnce = true;
            return this;
        }

        /** Say that the gradient's rules take sparse gradients; otherwise they are refused. */
        Builder sparseGradients() {
            sparseGradients = true;
            return this;
        }

        /** Give error samples. They are not made before a test asks for them. */
        Builder refuses(Refusal.Samples... more) {
            refusals.addAll(List.of(more));
            return this;
        }

        /**
         * Have an error sample made of the first sample, with sparse tensors: of functions that
         * take all dense ones, this is the one thing that they refuse.
         */
        Builder refusesSparse() {
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

    static long elements(Args args) {
        long count = 0;
        for (Object value : args.values()) {
            if (value instanceof Tensor tensor) {
                count += elements(tensor);
            } else if (value instanceof List<?> list) {
                for (Object element : list) {
                    count += element instanceof Tensor tensor ? elements(tensor) : 1;
                }
            }
        }
        return count;
    }

    private static long elements(Tensor tensor) {
        return tensor.storage() instanceof SparseStorage held
                ? held.indices().numel() + held.values().numel()
                : tensor.numel();
    }

    @Override
    public String name() {
        return signature.name();
    }

    @Override
    public FunctionSchema schema() {
        return signature.schema();
    }

    @Override
    public Class<?>[] parameterTypes() {
        return signature.types();
    }

    @Override
    public boolean light(@Nullable Object[] args) {
        return light.test(new Args(args));
    }

    /** {@return PyTorch's name of the node; the row's own where it has none} */
    String nodeName() {
        return nodeName == null ? name() : nodeName;
    }

    /** {@return whether the operator records nodes of its own} */
    boolean recordsNode() {
        return nodeName != null;
    }

    /** {@return whether its results have gradients where its inputs have} */
    boolean isDifferentiable() {
        return differentiable;
    }

    Keep keep() {
        return keep;
    }

    /** {@return samples of dense tensors, then those of the variants for sparse ones} */
    List<@Nullable Object[]> samples(Sampler sampler) {
        List<@Nullable Object[]> all = new ArrayList<>(samples.of(sampler));
        for (OperatorRow variant : sparse) {
            all.addAll(variant.samples.of(sampler));
        }
        return all;
    }

    /** {@return the error samples, then those of the variants for sparse tensors} */
    List<Refusal> refusals(Sampler sampler) {
        List<Refusal> all = new ArrayList<>();
        for (Refusal.Samples each : refusals) {
            all.addAll(each.of(sampler));
        }
        if (refusesSparse) {
            all.add(Refusals.sparse(schema().name(), samples.of(sampler).getFirst()));
        }
        for (OperatorRow variant : sparse) {
            all.addAll(variant.refusals(sampler));
        }
        return all;
    }

    @Override
    public Object apply(@Nullable Object[] args) {
        signature.check(args);
        return call(args);
    }

    Tensor tensor(@Nullable Object... args) {
        return (Tensor) call(args);
    }

    @SuppressWarnings("unchecked") // a row gives a tensor or a list of tensors
    List<Tensor> tensors(@Nullable Object... args) {
        return (List<Tensor>) call(args);
    }

    private Object call(@Nullable Object[] args) {
        return Profiler.isOn() ? callProfiled(args) : compute(args);
    }

    private Object callProfiled(@Nullable Object[] args) {
        ThreadState state = ThreadState.current();
        long before = state.allocatedBytes;
        try (Scope _ = Profiler.scope(schema().name(), () -> shapes(args))) {
            Object result = compute(args);
            Profiler.allocated(state.allocatedBytes - before);
            return result;
        } finally {
            state.allocatedBytes = before; // an operator made of others does not count theirs
        }
    }

    private List<List<Integer>> shapes(@Nullable Object[] args) {
        return inputs(args).stream()
                .map(input -> Arrays.stream(input.shape()).boxed().toList())
                .toList();
    }

    private Object compute(@Nullable Object[] args) {
        return anyMatch(args, OperatorRow::isSpecial) ? computeSpecial(args) : run(args, false);
    }

    private static boolean isSpecial(Tensor tensor) {
        return tensor.isSparse() || tensor.dtype().isReduced();
    }

    private Object computeSpecial(@Nullable Object[] args) {
        OperatorRow row = anyMatch(args, Tensor::isSparse) ? forSparse(args) : this;
        return anyMatch(args, tensor -> tensor.dtype().isReduced())
                ? row.computeReduced(args)
                : row.run(args, false);
    }

    /** Compute with tensors of float16 or bfloat16 among the arguments. */
    private Object computeReduced(@Nullable Object[] args) {
        if (roundsOnce) {
            return new ReducedPrecision(args).applyRecorded(forward);
        }
        boolean isComposite = differentiable && nodeName == null;
        return anyType || isComposite
                ? run(args, false)
                : run(new ReducedPrecision(args).withRoundedNumbers(signature), true);
    }

    private OperatorRow forSparse(@Nullable Object[] args) {
        if (anyLayout) {
            return this;
        }
        for (OperatorRow variant : sparse) {
            if (variant.when.test(new Args(args))) {
                return variant;
            }
        }
        throw new IllegalArgumentException(
                "%s is not implemented for sparse tensors; call toDense()"
                        .formatted(schema().name()));
    }

    /** Compute where the tensors are. */
    private Object run(@Nullable Object[] args, boolean reduced) {
        Device device = Devices.common(args);
        if (device.isCpu() && ThreadState.current().device.isCpu()) {
            return run(args, args, reduced);
        }
        return Devices.on(device, () -> run(args, Devices.gathered(args, device), reduced));
    }

    /**
     * Compute, and record where a gradient is wanted.
     *
     * @param gathered the arguments, all tensors on one device
     * @param reduced whether the rules see wider copies of tensors of float16 and bfloat16
     */
    private Object run(@Nullable Object[] args, @Nullable Object[] gathered, boolean reduced) {
        Object computed =
                reduced
                        ? new ReducedPrecision(gathered).apply(forward)
                        : forward.apply(new Args(gathered));
        boolean more = computed instanceof Computed;
        Object result = more ? ((Computed) computed).result() : computed;
        if (differentiable && gathered[0] instanceof Tensor operand) {
            markViews(result, operand);
        }
        if (nodeName != null && anyMatch(args, Tensor::requiresGrad)) {
            ThreadState state = ThreadState.current();
            if (state.gradEnabled) {
                Object extra = more ? ((Computed) computed).extra() : null;
                record(args, gathered, result, extra, reduced, ForwardCall.current(state));
            }
        }
        return result;
    }

    private static void markViews(Object result, Tensor operand) {
        if (result instanceof Tensor output) {
            if (output.storage() == operand.storage()) {
                ViewOf.mark(output, operand, origin());
            }
        } else if (result instanceof List<?> outputs) {
            for (Object output : outputs) {
                ViewOf.mark((Tensor) output, operand, origin());
            }
        }
    }

    private static ViewOf.Origin origin() {
        return GradMode.enabled() ? ViewOf.Origin.OPERATOR : ViewOf.Origin.NO_GRAD;
    }

    private static boolean anyMatch(@Nullable Object[] args, Predicate<Tensor> test) {
        for (Object arg : args) {
            if (arg instanceof Tensor tensor) {
                if (test.test(tensor)) {
                    return true;
                }
            } else if (arg instanceof List<?> list && anyMatch(list.toArray(), test)) {
                return true;
            }
        }
        return false;
    }

    @SuppressWarnings("ReferenceEquality") // arguments that lie together already are not gathered
    private void record(
            @Nullable Object[] args,
            @Nullable Object[] gathered,
            Object result,
            @Nullable Object extra,
            boolean reduced,
            @Nullable ForwardCall call) {
        @Nullable Tensor[] inputs = signature.inputs(args);
        @Nullable Tensor[] used = gathered == args ? inputs : signature.inputs(gathered);
        var edges = new @Nullable Edge[inputs.length];
        for (int i = 0; i < inputs.length; i++) {
            Tensor input = inputs[i];
            if (input == result) {
                return; // nothing was done
            }
            if (input != null && input.requiresGrad()) {
                edges[i] = Edge.of(input);
            }
        }
        if (result instanceof Tensor output) {
            if (output.dtype().isFloating()) {
                var saved = new Saved(this, gathered, used, edges, List.of(output), extra, reduced);
                new OpNode(this, edges, saved, call).attach(output);
            }
        } else if (result instanceof List<?> outputs) {
            List<Tensor> all = outputs.stream().map(Tensor.class::cast).toList();
            var saved = new Saved(this, gathered, used, edges, all, extra, reduced);
            var node = new OpNode(this, edges, saved, call);
            for (Tensor output : all) {
                if (output.dtype().isFloating()) { // indices have no gradient
                    node.attach(output);
                }
            }
        }
    }

    @Nullable Object[] withoutTensors(@Nullable Object[] args) {
        return signature.withoutTensors(args);
    }

    @Nullable Tensor[] gradients(Saved saved, @Nullable Tensor[] gradients) {
        Gradient rule = gradient;
        if (rule == null) {
            throw new AssertionError(name() + " has no gradient");
        }
        for (Tensor flow : gradients) {
            if (flow != null && flow.isSparse() && !sparseGradients) {
                throw new IllegalStateException(
                        "%s is not implemented for sparse gradients, and got one of shape %s; ask for a dense one where it comes from, or call toDense() before"
                                .formatted(nodeName(), Arrays.toString(flow.dims)));
            }
        }
        return rule.apply(
                saved, saved.isReduced() ? ReducedPrecision.widened(gradients) : gradients);
    }

    /** {@return the tensors among the arguments, in order} */
    List<Tensor> inputs(@Nullable Object[] args) {
        List<Tensor> found = new ArrayList<>();
        for (Tensor input : signature.inputs(args)) {
            if (input != null) {
                found.add(input);
            }
        }
        return found;
    }

    @Override
    public String toString() {
        return signature.toString();
    }
}
