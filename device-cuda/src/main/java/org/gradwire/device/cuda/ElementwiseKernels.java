package org.gradwire.device.cuda;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Kernels that compute each element of the result from one element of each input. */
final class ElementwiseKernels {
    private static final int THREADS = 256;
    private static final int EACH = 4; // elements of a thread at a time
    private static final int BLOCKS_PER_PROCESSOR = 32;
    private static final int LEAST_FOR_VECTORS = 1 << 12;

    private ElementwiseKernels() {}

    static boolean has(String name, ElementType type) {
        return name.equals(ElementwiseSource.COPY) || Expressions.of(name, type) != null;
    }

    /** Run a kernel; false for a layout of too many dimensions. */
    static boolean run(CudaDevice device, String name, Operand result, List<Operand> inputs) {
        if (!Launch.fits(result) || !inputs.stream().allMatch(Launch::fits)) {
            return false;
        }
        if (isPlainCopy(name, result, inputs)) {
            copy(result, inputs.getFirst());
            return true;
        }
        CudaStream stream = device.stream();
        long count = result.count();
        boolean vectors = areVectors(result, inputs, count);
        MemorySegment kernel =
                device.kernels()
                        .get(
                                Key.of(name, result, inputs, vectors),
                                () -> new ElementwiseSource(name, result, inputs, vectors).text());
        synchronized (stream.launches()) {
            Launch launch = new Launch(stream);
            add(launch, result);
            for (Operand input : inputs) {
                add(launch, input);
            }
            long blocks = (count + THREADS * EACH - 1) / (THREADS * EACH);
            int most = device.properties().processors() * BLOCKS_PER_PROCESSOR;
            launch.integer(count).run(kernel, (int) Math.min(blocks, most), 1, THREADS, 1);
        }
        return true;
    }

    /** {@return whether four elements of each operand can be read at once} */
    private static boolean areVectors(Operand result, List<Operand> inputs, long count) {
        if (count < LEAST_FOR_VECTORS || !isVector(result)) {
            return false;
        }
        for (Operand input : inputs) {
            if (!input.isNumber() && !Launch.isSingle(input) && !isVector(input)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isVector(Operand operand) {
        return Launch.isContiguous(operand) && operand.offset() % EACH == 0;
    }

    private static boolean isPlainCopy(String name, Operand result, List<Operand> inputs) {
        Operand input = inputs.getFirst();
        return name.equals(ElementwiseSource.COPY)
                && !input.isNumber()
                && input.type() == result.type()
                && input.count() == result.count()
                && Launch.isContiguous(result)
                && Launch.isContiguous(input);
    }

    private static void copy(Operand result, Operand input) {
        int bytes = result.type().bytes();
        input.memory()
                .copyTo(
                        input.offset() * bytes,
                        result.memory(),
                        result.offset() * bytes,
                        result.count() * bytes);
    }

    private static void add(Launch launch, Operand operand) {
        if (operand.isNumber()) {
            launch.number(operand);
            return;
        }
        launch.address(operand);
        if (!Launch.isContiguous(operand) && !Launch.isSingle(operand)) {
            launch.layout(operand);
        }
    }

    /**
     * Key of a kernel: kernels with equal ones have the same source.
     *
     * @param operands type and layout of the last operands
     * @param first those of the operands before them
     */
    private record Key(String name, boolean vectors, long first, long operands) {
        private static final int BITS = 2 * Byte.SIZE; // of an operand

        static Key of(String name, Operand result, List<Operand> inputs, boolean vectors) {
            long first = 0;
            long operands = bits(result, result);
            for (Operand input : inputs) {
                first = first << BITS | operands >>> (Long.SIZE - BITS);
                operands = operands << BITS | bits(input, result);
            }
            return new Key(name, vectors, first, operands);
        }

        private static long bits(Operand operand, Operand result) {
            return (long) operand.type().code() << Byte.SIZE | form(operand, result);
        }
    }

    /** {@return n for a number, 1 for one element, c for contiguous ones, s for others} */
    static char form(Operand operand, Operand result) {
        if (operand.isNumber()) {
            return 'n';
        }
        if (Launch.isSingle(operand) && operand != result) {
            return '1';
        }
        return Launch.isContiguous(operand) ? 'c' : 's';
    }
}
