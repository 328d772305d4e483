package org.gradwire.tensor.operator;

import org.gradwire.autograd.Gradients;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.kernel.Kernels;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Unary;
import org.gradwire.tensor.operator.library.TensorOperators;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Prints a digest of the result of each kernel and of each operator, forward and backward: the last
 * ones of some rounds. {@link CompilationTest} compares those of several JVMs.
 */
final class CompilationDigests {
    /** A range with a rest for each length of vectors, and a short one. */
    private static final int[] LENGTHS = {5, 205};

    private static final int SIDE = 40;

    /** Operators have more elements than the kernels here, and call several. */
    private static final int ROUNDS_OF_A_KERNEL = 200;

    private final Map<String, Integer> digests = new TreeMap<>();
    private final int rounds;

    private CompilationDigests(int rounds) {
        this.rounds = rounds;
    }

    /** The only argument is the number of rounds. */
    public static void main(String[] args) {
        var digests = new CompilationDigests(Integer.parseInt(args[0]));
        digests.addKernels(Kernels.plain());
        digests.addKernels(Kernels.vector().orElseThrow());
        RowCases.all().forEach(digests::addSample);
        TensorOperators.rows().stream()
                .filter(CompilationDigests::isSimple)
                .forEach(digests::addLayouts);
        digests.digests.forEach((name, digest) -> System.out.println(name + "\t" + digest));
    }

    private void addKernels(Kernels kernels) {
        for (int n : LENGTHS) {
            String suffix = " " + kernels.name() + " " + n;
            addFunctions(kernels.floats(), "float32" + suffix, n);
            addFunctions(kernels.doubles(), "float64" + suffix, n);
        }
    }

    private <A> void addFunctions(Elements<A> elements, String suffix, int n) {
        for (Unary function : Unary.values()) {
            if (!CompilationTest.REST.contains(function.name())) {
                add(
                        elements,
                        function + " " + suffix,
                        n,
                        (x, y) -> {
                            elements.unary(function, x, 0, y, 0, n);
                        });
            }
        }
        for (Binary function : Binary.values()) {
            if (!CompilationTest.REST.contains(function.name())) {
                add(
                        elements,
                        function + " " + suffix,
                        n,
                        (x, y) -> {
                            elements.binary(function, x, 0, x, n, y, 0, n);
                        });
            }
        }
        add(elements, "sum " + suffix, n, (x, y) -> elements.sum(x, 0, n, y, 0));
        add(
                elements,
                "dot " + suffix,
                n,
                (x, y) -> {
                    elements.set(y, 0, elements.dot(x, 0, x, n, n));
                });
        add(elements, "softmax " + suffix, n, (x, y) -> elements.softmax(x, 0, y, 0, n));
        add(elements, "logSoftmax " + suffix, n, (x, y) -> elements.logSoftmax(x, 0, y, 0, n));
    }

    /** Add the digest of a kernel that reads two ranges, of which the second follows the first. */
    private <A> void add(Elements<A> elements, String name, int n, BiConsumer<A, A> kernel) {
        A x = elements.array(2 * n);
        A y = elements.array(n);
        var random = new SplittableRandom(n);
        for (int i = 0; i < 2 * n; i++) {
            elements.set(x, i, random.nextDouble(-3, 3));
        }
        for (int round = 0; round < rounds; round++) {
            kernel.accept(x, y);
        }
        double[] numbers = new double[n];
        Arrays.setAll(numbers, i -> elements.getDouble(y, i));
        digests.put("kernel " + name, Arrays.hashCode(numbers));
    }

    private void addSample(RowCases.RowCase sample) {
        if (!isRest(sample.row())) {
            add("sample " + sample, sample.row(), sample.args());
        }
    }

    private static boolean isRest(OperatorRow row) {
        String function = row.name().replaceAll("aten::|_?\\..*", "").toUpperCase(Locale.ROOT);
        return CompilationTest.REST.contains(function);
    }

    /** {@return whether a row takes only tensors and numbers, so that any tensors may do} */
    private static boolean isSimple(OperatorRow row) {
        return row.recordsNode()
                && !isRest(row)
                && Arrays.stream(row.parameterTypes())
                        .allMatch(type -> type == Tensor.class || type == Number.class);
    }

    private void addLayouts(OperatorRow row) {
        var random = new SplittableRandom(1);
        Tensor contiguous = Tensor.rand(random, SIDE, SIDE);
        Tensor line = Tensor.rand(random, SIDE);
        addLayout("contiguous", row, contiguous);
        addLayout("transposed", row, contiguous.t());
        addLayout("broadcast", row, line.expand(SIDE, SIDE));
        addLayout("float64", row, contiguous.to(DType.FLOAT64));
    }

    private void addLayout(String layout, OperatorRow row, Tensor tensor) {
        @Nullable Object[] args = new @Nullable Object[row.parameterTypes().length];
        for (int i = 0; i < args.length; i++) {
            boolean isTensor = row.parameterTypes()[i] == Tensor.class;
            args[i] = isTensor ? tensor.detach().requiresGrad(true) : (Object) (0.5 + i);
        }
        try {
            add(layout + " " + row.name(), row, args);
        } catch (IllegalArgumentException e) { // shapes or types it does not take
            digests.put(layout + " " + row.name(), 0);
        }
    }

    private void add(String name, OperatorRow row, @Nullable Object[] args) {
        int digest = 0;
        for (int round = 0; round < Math.max(1, rounds / ROUNDS_OF_A_KERNEL); round++) {
            digest = digest(row, args);
        }
        digests.put(name, digest);
    }

    /** {@return whether a result has gradients, of ones in each element} */
    private static boolean isDense(Tensor result) {
        return result.requiresGrad() && !result.isSparse();
    }

    /** {@return a digest of the results and of the gradients} */
    private static int digest(OperatorRow row, @Nullable Object[] args) {
        List<Tensor> results = RowCases.results(row.apply(args));
        List<Tensor> leaves =
                row.inputs(args).stream().filter(Tensor::requiresGrad).distinct().toList();
        List<Tensor> differentiable = results.stream().filter(CompilationDigests::isDense).toList();
        List<Tensor> all = new ArrayList<>(results);
        if (!leaves.isEmpty() && !differentiable.isEmpty()) {
            List<Tensor> ones = differentiable.stream().map(Tensor::onesLike).toList();
            Gradients.gradAllowUnused(differentiable, leaves, ones, false).stream()
                    .flatMap(Optional::stream)
                    .forEach(all::add);
        }
        return all.stream()
                .map(tensor -> Arrays.hashCode(tensor.toDense().toDoubleArray()))
                .toList()
                .hashCode();
    }
}
