package org.gradwire.tensor.access;

import org.gradwire.autograd.AccumulateGrad;
import org.gradwire.autograd.Node;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.operator.ViewMeta;
import org.gradwire.tensor.storage.SparseStorage;
import org.gradwire.tensor.storage.Storage;
import org.jspecify.annotations.Nullable;

import java.util.function.Function;

/**
 * The members of {@link Tensor} that only this module uses. Each method delegates to the member of
 * the same name.
 */
public final class TensorAccess {

    private static @Nullable Members installed;

    /** Initialized at the first access, after {@link Tensor}. */
    private static final class Installed {
        static final Members MEMBERS = Initialization.members(Tensor.class, () -> installed);
    }

    private TensorAccess() {}

    /** Called by the static initializer of {@link Tensor}. */
    public static void install(Members members) {
        installed = members;
    }

    /** Implemented by the package of {@link Tensor}. */
    public interface Members {
        int[] dims(Tensor tensor);

        int[] strides(Tensor tensor);

        int offset(Tensor tensor);

        Storage storage(Tensor tensor);

        Object base(Tensor tensor);

        Strided strided(Tensor tensor);

        Strided strided(Tensor tensor, int[] shape);

        boolean isPlainArray(Tensor tensor);

        String describe(Tensor tensor);

        Tensor fresh(DType dtype, int[] shape);

        Tensor over(Storage storage, int[] shape);

        Tensor over(SparseStorage storage, int[] shape);

        Tensor view(Storage storage, int offset, int[] shape, int[] strides);

        Tensor viewOfOwn(Storage storage, int offset, int[] shape, int[] strides);

        Tensor contiguousView(Storage storage, int[] shape);

        Tensor onHost(Tensor tensor);

        Tensor alias(Tensor tensor, int[] dims, int[] strides);

        Tensor alias(Tensor tensor, int[] dims, int[] strides, int offset);

        Tensor permuted(Tensor tensor, int... order);

        Tensor transposed(Tensor tensor);

        Tensor reshaped(Tensor tensor, int... shape);

        Tensor viewAs(Tensor tensor, int... shape);

        void moveToOwnMemory(Tensor tensor);

        void setHistory(Tensor tensor, @Nullable Node node, int index);

        void rebase(Tensor tensor, @Nullable Node node, int index);

        @Nullable ViewMeta viewOf(Tensor tensor);

        void viewOf(Tensor tensor, @Nullable ViewMeta of);

        AccumulateGrad accumulator(Tensor tensor, Function<Tensor, AccumulateGrad> maker);
    }

    public static int[] dims(Tensor tensor) {
        return Installed.MEMBERS.dims(tensor);
    }

    public static int[] strides(Tensor tensor) {
        return Installed.MEMBERS.strides(tensor);
    }

    public static int offset(Tensor tensor) {
        return Installed.MEMBERS.offset(tensor);
    }

    public static Storage storage(Tensor tensor) {
        return Installed.MEMBERS.storage(tensor);
    }

    public static Object base(Tensor tensor) {
        return Installed.MEMBERS.base(tensor);
    }

    public static Strided strided(Tensor tensor) {
        return Installed.MEMBERS.strided(tensor);
    }

    public static Strided strided(Tensor tensor, int[] shape) {
        return Installed.MEMBERS.strided(tensor, shape);
    }

    public static boolean isPlainArray(Tensor tensor) {
        return Installed.MEMBERS.isPlainArray(tensor);
    }

    public static String describe(Tensor tensor) {
        return Installed.MEMBERS.describe(tensor);
    }

    public static Tensor fresh(DType dtype, int[] shape) {
        return Installed.MEMBERS.fresh(dtype, shape);
    }

    public static Tensor over(Storage storage, int[] shape) {
        return Installed.MEMBERS.over(storage, shape);
    }

    public static Tensor over(SparseStorage storage, int[] shape) {
        return Installed.MEMBERS.over(storage, shape);
    }

    public static Tensor view(Storage storage, int offset, int[] shape, int[] strides) {
        return Installed.MEMBERS.view(storage, offset, shape, strides);
    }

    public static Tensor viewOfOwn(Storage storage, int offset, int[] shape, int[] strides) {
        return Installed.MEMBERS.viewOfOwn(storage, offset, shape, strides);
    }

    public static Tensor contiguousView(Storage storage, int[] shape) {
        return Installed.MEMBERS.contiguousView(storage, shape);
    }

    public static Tensor onHost(Tensor tensor) {
        return Installed.MEMBERS.onHost(tensor);
    }

    public static Tensor alias(Tensor tensor, int[] dims, int[] strides) {
        return Installed.MEMBERS.alias(tensor, dims, strides);
    }

    public static Tensor alias(Tensor tensor, int[] dims, int[] strides, int offset) {
        return Installed.MEMBERS.alias(tensor, dims, strides, offset);
    }

    public static Tensor permuted(Tensor tensor, int... order) {
        return Installed.MEMBERS.permuted(tensor, order);
    }

    public static Tensor transposed(Tensor tensor) {
        return Installed.MEMBERS.transposed(tensor);
    }

    public static Tensor reshaped(Tensor tensor, int... shape) {
        return Installed.MEMBERS.reshaped(tensor, shape);
    }

    public static Tensor viewAs(Tensor tensor, int... shape) {
        return Installed.MEMBERS.viewAs(tensor, shape);
    }

    public static void moveToOwnMemory(Tensor tensor) {
        Installed.MEMBERS.moveToOwnMemory(tensor);
    }

    public static void setHistory(Tensor tensor, @Nullable Node node, int index) {
        Installed.MEMBERS.setHistory(tensor, node, index);
    }

    public static void rebase(Tensor tensor, @Nullable Node node, int index) {
        Installed.MEMBERS.rebase(tensor, node, index);
    }

    public static @Nullable ViewMeta viewOf(Tensor tensor) {
        return Installed.MEMBERS.viewOf(tensor);
    }

    public static void viewOf(Tensor tensor, @Nullable ViewMeta of) {
        Installed.MEMBERS.viewOf(tensor, of);
    }

    public static AccumulateGrad accumulator(
            Tensor tensor, Function<Tensor, AccumulateGrad> maker) {
        return Installed.MEMBERS.accumulator(tensor, maker);
    }
}
