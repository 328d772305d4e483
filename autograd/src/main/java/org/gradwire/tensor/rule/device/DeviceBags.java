package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceCall;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.EmbeddingBagInput;
import org.gradwire.tensor.rule.ReductionRules;
import org.gradwire.tensor.storage.CurrentDevice;
import org.gradwire.tensor.storage.DevicePlacement;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Embedding bags by a device's kernels. The host has read the indices to check them.
 *
 * @param indices those of the bags, on the device of the weight
 */
public record DeviceBags(EmbeddingBagInput bags, Tensor indices) {
    private static final long THREADS_OF_BAG = 16;
    private static final Elements<?> LONGS = DTypeAccess.elements(DType.INT64);
    private static final Elements<?> INTS = DTypeAccess.elements(DType.INT32);
    private static final List<String> OF_ROWS =
            List.of("bag_sum", "bag_gradient", "take_rows", "gather", "put");
    private static final List<String> OF_LONGS =
            List.of(
                    "bag_largest",
                    "bag_of_each",
                    "sort_tiles",
                    "merge_splits",
                    "merge_tiles",
                    "radix_tiles",
                    "radix_first_places",
                    "radix_places");
    private static final List<String> OF_INTS =
            List.of("radix_first_counts", "radix_counts", "radix_offsets");

    /**
     * Return the bags for a device that has all their kernels, those of gradients too; null for
     * another one, or no indices.
     *
     * @param given the indices with padding
     */
    public static @Nullable DeviceBags of(EmbeddingBagInput bags, Tensor table, Tensor given) {
        Device device = table.device();
        boolean possible =
                bags.indices.length > 0
                        && bags.count() > 0
                        && table.numel() > 0
                        && hasKernels(table);
        if (!possible) {
            return null;
        }
        boolean there = bags.isWhole() && given.device().equals(device);
        return new DeviceBags(
                bags,
                there
                        ? TensorAccess.reshaped(Elementwise.copy(given), given.numel())
                        : copied(() -> Tensor.of(bags.indices), device));
    }

    private static boolean hasKernels(Tensor table) {
        Elements<?> elements = DTypeAccess.elements(table.dtype());
        Strided place = TensorAccess.strided(table);
        return OF_ROWS.stream().allMatch(name -> DeviceCall.isPossible(name, elements, place))
                && OF_LONGS.stream().allMatch(name -> DeviceCall.isPossible(name, LONGS, place))
                && OF_INTS.stream().allMatch(name -> DeviceCall.isPossible(name, INTS, place));
    }

    /** Keep the indices for the gradient. */
    public void keep() {
        TensorAccess.storage(indices).escape();
    }

    /**
     * Sum the rows of each bag.
     *
     * @param factors of the rows, or null
     */
    public Tensor sums(Tensor weight, double @Nullable [] factors) {
        int width = TensorAccess.dims(weight)[1];
        Elements<?> elements = DTypeAccess.elements(weight.dtype());
        Tensor result = TensorAccess.fresh(weight.dtype(), new int[] {bags.count(), width});
        return done(
                withFactors(
                                new DeviceCall("bag_sum", elements, TensorAccess.strided(result))
                                        .with(
                                                elements,
                                                TensorAccess.strided(
                                                        Elementwise.contiguous(weight)))
                                        .with(LONGS, TensorAccess.strided(indices))
                                        .with(LONGS, TensorAccess.strided(starts())),
                                factors)
                        .with((long) width),
                result);
    }

    /** {@return for each element of the largest of each bag the row it is from, or -1} */
    public Tensor winners(Tensor weight) {
        int width = TensorAccess.dims(weight)[1];
        Tensor result = TensorAccess.fresh(DType.INT64, new int[] {bags.count(), width});
        Tensor table = Elementwise.contiguous(weight);
        return done(
                new DeviceCall("bag_largest", LONGS, TensorAccess.strided(result))
                        .with(DTypeAccess.elements(weight.dtype()), TensorAccess.strided(table))
                        .with(LONGS, TensorAccess.strided(indices))
                        .with(LONGS, TensorAccess.strided(starts()))
                        .with((long) width),
                result);
    }

    /** {@return the elements of winners, and 0 for -1} */
    public Tensor largest(Tensor weight, Tensor winners) {
        Tensor rows = Elementwise.binary(Binary.MAX, winners, 0);
        Tensor taken = DeviceTables.gathered(weight, 0, rows);
        if (taken == null) {
            throw new AssertionError("no kernel to gather " + TensorAccess.describe(weight));
        }
        return Ops.maskedFill(taken, winners.lt(0), 0);
    }

    /** {@return the gradient of a table from that of the largest} */
    public static @Nullable Tensor winnersGradient(Tensor gradient, Tensor winners, int[] shape) {
        Tensor flow = Ops.maskedFill(gradient.detach(), winners.lt(0), 0);
        Tensor rows = Elementwise.binary(Binary.MAX, winners, 0);
        Tensor zeros = Tensor.zeros(gradient.dtype(), shape);
        return DeviceTables.scattered(zeros, 0, rows, flow, true);
    }

    /**
     * Return the gradient of a table from that of the sums. The places of the indices are sorted on
     * the device, and the gradients of one index are added in their order.
     */
    public Tensor weightGradient(Tensor gradient, int[] shape, double @Nullable [] factors) {
        Tensor result = Tensor.zeros(gradient.dtype(), shape);
        Elements<?> elements = DTypeAccess.elements(gradient.dtype());
        Tensor order = DeviceOrder.places(indices, shape[0]);
        if (order == null) {
            throw new AssertionError("no kernel to sort " + TensorAccess.describe(indices));
        }
        Tensor flow = Elementwise.contiguous(gradient);
        return done(
                withFactors(
                                new DeviceCall(
                                                "bag_gradient",
                                                elements,
                                                TensorAccess.strided(result))
                                        .with(elements, TensorAccess.strided(flow))
                                        .with((long) bags.indices.length)
                                        .with(LONGS, TensorAccess.strided(indices))
                                        .with(LONGS, TensorAccess.strided(order))
                                        .with(LONGS, TensorAccess.strided(bagOfEach())),
                                factors)
                        .with((long) shape[1]),
                result);
    }

    /** {@return the gradients of the weights of samples: products of gradients with rows} */
    public Tensor perSampleGradient(Tensor gradient, Tensor weight, int[] shape) {
        Tensor flow = rows(Elementwise.contiguous(gradient), bagOfEach());
        Tensor taken = rows(Elementwise.contiguous(weight), indices);
        Tensor dots =
                ReductionRules.sum(
                        Elementwise.binary(Binary.MUL, flow, taken), new int[] {1}, false);
        Tensor places = copied(() -> Tensor.of(longs(bags.indices.length, bags::position)));
        Tensor result = DeviceOrder.placed(dots, places, new int[] {bags.given()}, 0);
        if (result == null) {
            throw new AssertionError("no kernel to put " + TensorAccess.describe(dots));
        }
        return TensorAccess.viewAs(result, shape);
    }

    private static Tensor rows(Tensor table, Tensor indices) {
        int[] shape = {indices.numel(), TensorAccess.dims(table)[1]};
        Tensor result = TensorAccess.fresh(table.dtype(), shape);
        if (!DeviceTables.takeRows(table, indices, result)) {
            throw new AssertionError("no kernel to take rows of " + TensorAccess.describe(table));
        }
        return result;
    }

    private DeviceCall withFactors(DeviceCall call, double @Nullable [] factors) {
        return factors == null
                ? call.with(1.0)
                : call.with(
                        DTypeAccess.elements(DType.FLOAT64),
                        TensorAccess.strided(copied(() -> Tensor.of(factors))));
    }

    private Tensor starts() {
        return copied(() -> Tensor.of(longs(bags.count() + 1, bags::start)));
    }

    private Tensor bagOfEach() {
        Tensor result = TensorAccess.fresh(DType.INT64, new int[] {bags.indices.length});
        return done(
                new DeviceCall("bag_of_each", LONGS, TensorAccess.strided(result))
                        .with(LONGS, TensorAccess.strided(starts()))
                        .with((long) bags.count())
                        .with(THREADS_OF_BAG),
                result);
    }

    private static long[] longs(int count, IntUnaryOperator number) {
        return IntStream.range(0, count).map(number).asLongStream().toArray();
    }

    private Tensor copied(Supplier<Tensor> onHost) {
        return copied(onHost, indices.device());
    }

    private static Tensor copied(Supplier<Tensor> onHost, Device device) {
        return DevicePlacement.copy(CurrentDevice.on(Device.CPU, onHost), device);
    }

    private static Tensor done(DeviceCall call, Tensor result) {
        if (!call.run()) {
            throw new AssertionError("no kernel for " + TensorAccess.describe(result));
        }
        return result;
    }
}
