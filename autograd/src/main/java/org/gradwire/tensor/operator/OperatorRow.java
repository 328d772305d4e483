package org.gradwire.tensor.operator;

import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.Scope;
import org.gradwire.rpc.FunctionSchema;
import org.gradwire.spi.Operator;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.dispatch.OperatorHandle;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.sample.ErrorSample;
import org.gradwire.tensor.operator.sample.ErrorSamples;
import org.gradwire.tensor.operator.sample.Sampler;
import org.gradwire.tensor.rule.device.DeviceProducts;
import org.gradwire.tensor.storage.CurrentDevice;
import org.gradwire.tensor.storage.DevicePlacement;
import org.gradwire.tensor.storage.ForwardCall;
import org.gradwire.tensor.storage.SparseStorage;
import org.gradwire.tensor.storage.ThreadState;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * An operator: its signature, forward rule, saved tensors and gradient, with the sample inputs of
 * tests and error samples, which are inputs that it refuses.
 *
 * <p>Rules receive plain tensors and record nothing; the row records, and the engine reduces
 * gradients over broadcast dimensions, casts and accumulates them.
 */
public final class OperatorRow implements Operator, OperatorHandle {
    final Signature signature;
    private final @Nullable String nodeName;
    private final boolean differentiable;
    private final Forward forward;
    private final Keep keep;
    private final @Nullable Gradient gradient;
    private final Predicate<Args> runsOnPoller;
    private final Samples samples;
    private final List<ErrorSample.Samples> refusals;
    private final boolean refusesSparse;
    private final List<OperatorRow> sparse;
    private final Predicate<Args> when;
    private final boolean anyLayout;
    private final boolean anyType;
    private final boolean roundsOnce;
    private final boolean isProduct;
    private final boolean sparseGradients;
    private final AutocastPolicy autocast;

    /** Forward rule of an operator. */
    @FunctionalInterface
    interface Forward {
        /** Return a tensor or a list of tensors, or one of these as {@link Computed}. */
        Object apply(Args args);
    }

    /**
     * The result of a forward rule with an extra value for the gradient.
     *
     * @param result a tensor or a list of tensors
     * @param extra for the gradient, such as statistics or indices; see {@link Saved#extra}
     */
    public record Computed(Object result, Object extra) {}

    /** Gradient rule of all inputs, from the gradients of all results. */
    @FunctionalInterface
    interface Gradient {
        /** Return one for each input, null where it is zero or not needed. */
        @Nullable Tensor[] apply(Saved saved, @Nullable Tensor[] gradients);
    }

    /** Gradient rule of one input, from the gradient of the only result. */
    @FunctionalInterface
    interface InputGradient {
        /** Return the gradient; it may still be broadcast, or of a wider type. */
        Tensor apply(Saved saved, Tensor gradient);
    }

    /** Supplies sample arguments of an operator. */
    @FunctionalInterface
    public interface Samples {
        /**
         * Return at least one list of arguments. Float64 tensors in it require gradients; if the
         * row is differentiable, one of the lists has some.
         */
        List<@Nullable Object[]> of(Sampler sampler);
    }

    OperatorRow(OperatorRowBuilder builder, Forward forward, Samples samples) {
        this.signature = builder.signature;
        this.nodeName = builder.nodeName;
        this.differentiable = builder.differentiable;
        this.keep = builder.keep;
        this.gradient = builder.gradient;
        this.runsOnPoller = builder.runsOnPoller;
        this.forward = forward;
        this.samples = samples;
        this.refusals = List.copyOf(builder.refusals);
        this.refusesSparse = builder.refusesSparse;
        this.sparse = builder.sparse;
        this.when = builder.when;
        this.anyLayout = builder.anyLayout;
        this.anyType = builder.anyType;
        this.roundsOnce = builder.roundsOnce;
        this.isProduct = builder.isProduct;
        this.sparseGradients = builder.sparseGradients;
        this.autocast = AutocastPolicy.of(schema().name());
    }

    /**
     * Begin a row with its own gradient.
     *
     * @param declaration {@code aten::sum.dim_IntList(Tensor self, int[] dim, boolean keepdim)}
     * @param nodeName PyTorch's name of its node
     */
    static OperatorRowBuilder differentiable(String declaration, String nodeName) {
        return new OperatorRowBuilder(Signature.parse(declaration), nodeName, true);
    }

    /** Begin a composite row, made of other operators, whose gradients apply. */
    static OperatorRowBuilder composite(String declaration) {
        return new OperatorRowBuilder(Signature.parse(declaration), null, true);
    }

    /** Begin a row whose results never require a gradient. */
    static OperatorRowBuilder plain(String declaration) {
        return new OperatorRowBuilder(Signature.parse(declaration), null, false);
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
        return TensorAccess.storage(tensor) instanceof SparseStorage held
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
    public boolean runsOnPoller(@Nullable Object[] args) {
        return runsOnPoller.test(new Args(args));
    }

    /** {@return PyTorch's name of the node; the row's own where it has none} */
    public String nodeName() {
        return nodeName == null ? name() : nodeName;
    }

    /** {@return whether the operator records its own nodes} */
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
    public List<ErrorSample> refusals(Sampler sampler) {
        List<ErrorSample> all = new ArrayList<>();
        for (ErrorSample.Samples each : refusals) {
            all.addAll(each.of(sampler));
        }
        if (refusesSparse) {
            all.add(ErrorSamples.sparse(schema().name(), samples.of(sampler).getFirst()));
        }
        for (OperatorRow variant : sparse) {
            all.addAll(variant.refusals(sampler));
        }
        return all;
    }

    @Override
    public Object apply(@Nullable Object[] args) {
        signature.check(args);
        return ThreadState.current().forAnotherWorker(() -> call(args));
    }

    public Tensor tensor(@Nullable Object... args) {
        return (Tensor) call(args);
    }

    @SuppressWarnings("unchecked") // the result of a row is a tensor or a list of tensors
    public List<Tensor> tensors(@Nullable Object... args) {
        return (List<Tensor>) call(args);
    }

    @Override
    public Object call(@Nullable Object... args) {
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
            state.allocatedBytes = before; // excludes the operators of a composite
        }
    }

    private List<List<Integer>> shapes(@Nullable Object[] args) {
        return inputs(args).stream()
                .map(input -> Arrays.stream(input.shape()).boxed().toList())
                .toList();
    }

    private Object compute(@Nullable Object[] args) {
        return autocast != AutocastPolicy.NONE && ThreadState.current().autocast != null
                ? computeAutocast(args)
                : computeAsGiven(args);
    }

    /** Compute with converted arguments; the operators of a composite take these as they are. */
    private Object computeAutocast(@Nullable Object[] args) {
        @Nullable Object[] cast = autocast.cast(args);
        return ThreadState.current().withoutAutocast(() -> computeAsGiven(cast));
    }

    private Object computeAsGiven(@Nullable Object[] args) {
        return anyMatch(args, OperatorRow::isSpecial) ? computeSpecial(args) : run(args, false);
    }

    private static boolean isSpecial(Tensor tensor) {
        return tensor.isSparse() || DTypeAccess.isReduced(tensor.dtype());
    }

    private Object computeSpecial(@Nullable Object[] args) {
        OperatorRow row = anyMatch(args, Tensor::isSparse) ? forSparse(args) : this;
        return anyMatch(args, tensor -> DTypeAccess.isReduced(tensor.dtype()))
                ? row.computeReduced(args)
                : row.run(args, false);
    }

    /** Compute with tensors of float16 or bfloat16 among the arguments. */
    private Object computeReduced(@Nullable Object[] args) {
        if (roundsOnce) {
            return new ReducedPrecision(args).applyRecorded(forward);
        }
        if (isProduct && DeviceProducts.takes(args)) {
            return run(args, false);
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

    /** Compute on the device of the tensors. */
    private Object run(@Nullable Object[] args, boolean reduced) {
        Device device = DevicePlacement.common(args);
        if (device.isCpu() && ThreadState.current().device.isCpu()) {
            return run(args, args, reduced);
        }
        return CurrentDevice.on(
                device,
                schema().name(),
                () -> run(args, DevicePlacement.gathered(args, device), reduced));
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
            GradientRecorder.markViews(result, operand);
        }
        if (nodeName != null && anyMatch(args, Tensor::requiresGrad)) {
            ThreadState state = ThreadState.current();
            if (state.gradEnabled) {
                Object extra = more ? ((Computed) computed).extra() : null;
                GradientRecorder.record(
                        this, args, gathered, result, extra, reduced, ForwardCall.current(state));
            }
        }
        return result;
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

    @Nullable Object[] withoutTensors(@Nullable Object[] args) {
        return signature.withoutTensors(args);
    }

    public @Nullable Tensor[] gradients(Saved saved, @Nullable Tensor[] gradients) {
        Gradient rule = gradient;
        if (rule == null) {
            throw new AssertionError(name() + " has no gradient");
        }
        for (Tensor flow : gradients) {
            if (flow != null && flow.isSparse() && !sparseGradients) {
                throw new IllegalStateException(
                        "%s is not implemented for sparse gradients, and got one of shape %s; ask for a dense one where it comes from, or call toDense() before"
                                .formatted(nodeName(), Arrays.toString(TensorAccess.dims(flow))));
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
