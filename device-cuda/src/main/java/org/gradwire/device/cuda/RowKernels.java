package org.gradwire.device.cuda;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Kernels in which the threads of a block compute a row of the result from rows of the inputs, or
 * several rows that are short. Where the elements of a row are apart in memory and rows are
 * adjacent, each thread computes a row, so that the threads of a warp read adjacent elements.
 */
final class RowKernels {
    private static final int MOST_THREADS = 256;
    private static final int MOST_BLOCKS = 65_535;
    private static final int SHORT = 32; // as many threads run together, so that fewer idle
    private static final long MANY_ROWS = 1 << 14; // enough threads for a device
    private static final long MANY_BLOCKS = 512;

    private RowKernels() {}

    /** Threads of a block. */
    private record Block(int threads, int rows) {
        boolean keepsRows() {
            return rows == 1 && threads > 1;
        }
    }

    static boolean has(String name, ElementType type) {
        return RowStepsTable.has(name, type);
    }

    /** Run a kernel; its last input is the length of a row. */
    static boolean run(CudaDevice device, String name, Operand result, List<Operand> inputs) {
        List<Operand> given = inputs.subList(0, inputs.size() - 1);
        if (!Launch.fits(result) || !given.stream().allMatch(Launch::fits)) {
            return false;
        }
        RowSteps steps = RowStepsTable.of(name);
        long length = inputs.getLast().integer();
        long rows = rows(steps, result, given, length);
        var source = new RowSource(steps, result, given, length);
        Block block = block(steps, source, rows, length);
        boolean kept = block.keepsRows() && length <= source.room();
        MemorySegment kernel =
                device.kernels().get(source.key(name, kept), () -> source.source(kept));
        long blocks = Math.min((rows + block.rows - 1) / block.rows, MOST_BLOCKS);
        CudaStream stream = device.stream();
        synchronized (stream.launches()) {
            Launch launch = new Launch(stream);
            source.addTo(launch);
            launch.integer(rows)
                    .integer(length)
                    .run(kernel, (int) blocks, 1, block.threads, block.rows);
        }
        return true;
    }

    private static Block block(RowSteps steps, RowSource source, long rows, long length) {
        if (steps.oneThread()) {
            return new Block(1, MOST_THREADS);
        }
        if ((length <= SHORT || rows >= MANY_ROWS) && source.areColumns()) {
            return columns(rows);
        }
        int threads = powerOfTwo(length);
        return new Block(threads, threads < SHORT ? MOST_THREADS / threads : 1);
    }

    /** {@return a block whose threads have a row each, small enough for all multiprocessors} */
    private static Block columns(long rows) {
        int together = MOST_THREADS;
        while (together > SHORT && rows / together < MANY_BLOCKS) {
            together /= 2;
        }
        return new Block(1, together);
    }

    private static long rows(RowSteps steps, Operand result, List<Operand> inputs, long length) {
        return switch (steps.rowsOf()) {
            case RowSteps.RESULT -> result.count() / length;
            case RowSteps.RESULTS -> result.count();
            default -> {
                Operand each = inputs.get(steps.rowsOf());
                yield each.isNumber() ? each.integer() : each.count();
            }
        };
    }

    private static int powerOfTwo(long length) {
        int threads = 1;
        while (threads < length && threads < MOST_THREADS) {
            threads *= 2;
        }
        return threads;
    }
}
