package org.gradwire.tensor.operator;

import org.gradwire.autograd.Edge;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.AutogradAccess.BackwardFunction;
import org.gradwire.tensor.access.TensorAccess;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/**
 * Values saved for an operator's gradient: the shapes and types of all inputs, the arguments that
 * are not tensors, and the tensors that its row keeps.
 *
 * <p>Inputs are counted over the tensors among the arguments, those of lists included; an optional
 * one that was not given counts.
 */
public final class Saved implements BackwardFunction {
    private static final @Nullable Tensor[] NO_TENSORS = {};
    private static final int[] NO_VERSIONS = {};

    private final OperatorRow row;
    private final @Nullable Object[] values;
    private final int[][] shapes;
    private final DType[] dtypes;
    private final @Nullable Edge[] edges;
    private final @Nullable Tensor[] kept; // empty where the row keeps nothing
    private final int[] versions;
    private final boolean keepsAny;
    private final boolean reduced;
    private @Nullable Object extra;
    private volatile boolean freed;

    /**
     * Save the values that a row keeps; an input that requires a gradient has an edge.
     *
     * @param reduced whether the rules see wider copies of tensors of float16 and bfloat16
     */
    @SuppressWarnings("ReferenceEquality") // which of the rules it is
    Saved(
            OperatorRow row,
            @Nullable Object[] values,
            @Nullable Tensor[] inputs,
            @Nullable Edge[] edges,
            List<Tensor> outputs,
            @Nullable Object extra,
            boolean reduced) {
        this.row = row;
        this.reduced = reduced;
        this.values = row.withoutTensors(values);
        this.edges = edges;
        this.shapes = new int[inputs.length][];
        this.dtypes = new DType[inputs.length];
        int slots = row.keep() == Keep.NOTHING ? 0 : inputs.length + outputs.size();
        this.kept = slots == 0 ? NO_TENSORS : new @Nullable Tensor[slots];
        this.versions = slots == 0 ? NO_VERSIONS : new int[slots];
        boolean any = false;
        for (int i = 0; i < inputs.length; i++) {
            Tensor input = inputs[i];
            if (input != null) {
                shapes[i] = TensorAccess.dims(input);
                dtypes[i] = input.dtype();
                any |= row.keep().input(i, this) && keep(i, input);
            }
        }
        for (int i = 0; i < outputs.size(); i++) {
            any |= row.keep().output(i) && keep(inputs.length + i, outputs.get(i));
        }
        this.keepsAny = any || extra != null;
        this.extra = extra;
    }

    private boolean keep(int slot, Tensor tensor) {
        kept[slot] = tensor;
        versions[slot] = TensorAccess.storage(tensor).version();
        TensorAccess.storage(tensor).share();
        return true;
    }

    /** {@return an input that the row keeps} */
    public Tensor input(int index) {
        return unpack(index);
    }

    /** {@return an optional input that the row keeps; null when it was not given} */
    public @Nullable Tensor optionalInput(int index) {
        return shapes[index] == null ? null : unpack(index);
    }

    /** {@return the result, when the row keeps it} */
    Tensor output() {
        return output(0);
    }

    /** {@return one of the results that the row keeps} */
    public Tensor output(int index) {
        return unpack(shapes.length + index);
    }

    /** {@return the extra value of the forward rule} */
    public <T> T extra(Class<T> type) {
        Object value = extra;
        if (value == null) {
            checkNotFreed();
            throw new AssertionError(row.name() + " gave nothing besides its result");
        }
        return type.cast(value);
    }

    private Tensor unpack(int slot) {
        Tensor tensor = kept.length == 0 ? null : kept[slot];
        if (tensor == null) {
            checkNotFreed();
            throw new AssertionError(row.name() + " does not keep tensor " + slot);
        }
        VersionChecks.check(tensor, versions[slot], row.nodeName());
        return reduced ? ReducedPrecision.widened(tensor) : tensor;
    }

    /** {@return whether the rules see wider copies of tensors of float16 and bfloat16} */
    boolean isReduced() {
        return reduced;
    }

    /** {@return the shape of an input} */
    public int[] shape(int input) {
        return shapes[input];
    }

    /** {@return the type of an input} */
    public DType dtype(int input) {
        return dtypes[input];
    }

    /** {@return the number of inputs} */
    public int inputs() {
        return shapes.length;
    }

    /** {@return whether the gradient of an input is wanted} */
    public boolean needs(int input) {
        return edges[input] != null;
    }

    /** {@return the arguments, without the tensors} */
    public Args args() {
        return new Args(values);
    }

    @Override
    public String nodeName() {
        return row.nodeName();
    }

    @Override
    public @Nullable Tensor[] gradients(@Nullable Tensor[] gradients) {
        return row.gradients(this, gradients);
    }

    @Override
    public void free() {
        if (keepsAny) {
            freed = true; // first, since a concurrent pass that finds no tensors reads it
            Arrays.fill(kept, null);
            extra = null;
        }
    }

    @Override
    public void checkNotFreed() {
        if (freed) {
            throw VersionChecks.freed(row.nodeName());
        }
    }

    /** Selection of the tensors that a row saves for its gradient. */
    interface Keep {

        /** {@return whether an input is kept, given which inputs want a gradient} */
        boolean input(int index, Saved saved);

        /** {@return whether a result is kept} */
        default boolean output(int index) {
            return false;
        }

        /** Nothing. */
        Keep NOTHING = (_, _) -> false;

        /** All inputs. */
        Keep INPUTS = (_, _) -> true;

        /** Each of the first two inputs if the gradient of the other is needed. */
        Keep OTHER_INPUT = (index, saved) -> index < 2 && saved.needs(1 - index);

        /** The result only. */
        Keep OUTPUT = output(false, 0);

        /** All inputs and the result. */
        Keep INPUTS_AND_OUTPUT = output(true, 0);

        /** Return those that keep one of the results, and all inputs or none. */
        static Keep output(boolean inputs, int kept) {
            return new Keep() {
                @Override
                public boolean input(int index, Saved saved) {
                    return inputs;
                }

                @Override
                public boolean output(int index) {
                    return index == kept;
                }
            };
        }

        /** Return those that keep certain inputs. */
        static Keep inputs(Integer... indices) {
            List<Integer> chosen = List.of(indices);
            return (index, _) -> chosen.contains(index);
        }
    }
}
