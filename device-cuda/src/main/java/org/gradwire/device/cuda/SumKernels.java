package org.gradwire.device.cuda;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;

import java.lang.foreign.MemorySegment;

/**
 * Sums of rows. The terms of a row lie next to each other, and a block adds one row; or the rows
 * do, and a block adds 32 of them, so that memory is read in runs either way. Where there are too
 * few rows for all processors, each is divided, and the parts are added by a second launch.
 */
final class SumKernels {
    private static final int ROW_THREADS = 256;
    private static final int WIDTH = 32;
    private static final int HEIGHT = 8;
    private static final int MOST_PARTS = 1024;
    private static final int LEAST_TERMS = 2048; // of a part

    private static final String SOURCE =
            """
            // Adds terms from..to of row r, for a block of threadIdx.y x threadIdx.x threads.
            extern "C" __global__ void gradwire_kernel(
                    @Y@* y, Layout yl, const @X@* x, Layout xl, long long rowStride,
                    long long termStride, long long rowCount, long long termCount) {
                __shared__ C sums[256];
                unsigned rows = (unsigned) rowCount, terms = (unsigned) termCount;
                unsigned each = (terms + gridDim.y - 1) / gridDim.y;
                unsigned from = blockIdx.y * each;
                unsigned to = from + each < terms ? from + each : terms;
                unsigned lane = threadIdx.y * blockDim.x + threadIdx.x;
                for (unsigned block = blockIdx.x; block * @WIDTH@ < rows; block += gridDim.x) {
                    unsigned r = block * @WIDTH@ + @COLUMN@;
                    C sum = 0;
                    if (r < rows) {
                        C more[4] = {0, 0, 0, 0}; // so that four reads are in flight
                        unsigned t = from + @START@;
                        for (; t + 3 * @STEP@ < to; t += 4 * @STEP@) {
                            #pragma unroll
                            for (int j = 0; j < 4; j++) {
                                more[j] += TERM(t + j * @STEP@);
                            }
                        }
                        for (; t < to; t += @STEP@) {
                            sum += TERM(t);
                        }
                        sum += (more[0] + more[1]) + (more[2] + more[3]);
                    }
                    sums[lane] = sum;
                    __syncthreads();
                    for (unsigned half = 128; half >= @WIDTH@; half /= 2) {
                        if (lane < half) {
                            sums[lane] += sums[lane + half];
                        }
                        __syncthreads();
                    }
                    if (lane < @WIDTH@ && r < rows) {
                        unsigned to = blockIdx.y * rows + r;
                        y[@TO@] = @SUM@;
                    }
                    __syncthreads();
                }
            }
            """;

    private SumKernels() {}

    static boolean has(ElementType type) {
        return type.isFloating() || type == ElementType.INT64;
    }

    /**
     * The layout of the summed elements.
     *
     * @param regular whether a row and a term have a stride each
     */
    private record Terms(boolean regular, long rowStride, long termStride, long rows, long terms) {

        static Terms of(Operand x, long rows) {
            long terms = rows == 0 ? 0 : x.count() / rows;
            int[] sizes = x.sizes();
            int[] strides = x.strides();
            if (sizes.length == 0) {
                return new Terms(true, 0, 0, rows, terms);
            }
            if (sizes.length == 1) {
                return new Terms(true, terms * strides[0], strides[0], rows, terms);
            }
            return sizes.length == 2 && sizes[1] == terms
                    ? new Terms(true, strides[0], strides[1], rows, terms)
                    : new Terms(false, 0, 0, rows, terms);
        }

        boolean isByColumns() {
            return regular && rowStride == 1 && termStride != 1 && rows >= WIDTH;
        }

        int parts(int processors) {
            long blocks = isByColumns() ? (rows + WIDTH - 1) / WIDTH : rows;
            long wanted = Math.max(1, 8L * processors / Math.max(1, blocks));
            long most = Math.max(1, terms / (isByColumns() ? 4 * HEIGHT : LEAST_TERMS));
            return (int) Math.min(Math.min(wanted, most), MOST_PARTS);
        }
    }

    static boolean run(CudaDevice device, Operand result, Operand x) {
        if (x.isNumber() || !Launch.fits(result) || !Launch.fits(x)) {
            return false;
        }
        Terms terms = Terms.of(x, result.count());
        int parts = terms.parts(device.properties().processors());
        if (parts == 1) {
            launch(device, result, x, terms, 1);
            return true;
        }
        int rows = (int) terms.rows();
        ElementType wide =
                result.type().bytes() < Float.BYTES ? ElementType.FLOAT32 : result.type();
        var memory = new CudaMemory(device, (long) parts * rows * wide.bytes());
        Operand sums = Operand.of(memory, wide, 0, new int[] {parts * rows}, new int[] {1});
        launch(device, sums, x, terms, parts);
        Operand columns = Operand.of(memory, wide, 0, new int[] {rows, parts}, new int[] {1, rows});
        launch(device, result, columns, Terms.of(columns, rows), 1);
        memory.release();
        return true;
    }

    private static void launch(
            CudaDevice device, Operand result, Operand x, Terms terms, int parts) {
        boolean byColumns = terms.isByColumns();
        boolean strided = !Launch.isContiguous(result);
        String key =
                "sum %s %s %b %b %b"
                        .formatted(x.type(), result.type(), byColumns, terms.regular, strided);
        MemorySegment kernel =
                device.kernels()
                        .get(
                                key,
                                () ->
                                        source(
                                                x.type(),
                                                result.type(),
                                                byColumns,
                                                terms.regular,
                                                strided));
        CudaStream stream = device.stream();
        long blocks = byColumns ? (terms.rows + WIDTH - 1) / WIDTH : terms.rows;
        synchronized (stream.launches()) {
            new Launch(stream)
                    .address(result)
                    .layout(result)
                    .address(x)
                    .layout(x)
                    .integer(terms.rowStride)
                    .integer(terms.termStride)
                    .integer(terms.rows)
                    .integer(terms.terms)
                    .run(
                            kernel,
                            (int) Math.min(blocks, 65_535),
                            parts,
                            byColumns ? WIDTH : ROW_THREADS,
                            byColumns ? HEIGHT : 1);
        }
    }

    private static String source(
            ElementType from,
            ElementType type,
            boolean byColumns,
            boolean regular,
            boolean strided) {
        String position = regular ? "r * rowStride + (t) * termStride" : "at(xl, r * terms + (t))";
        return KernelSource.prelude(type)
                + "#define TERM(t) %s\n".formatted(KernelSource.load(from, "x[" + position + "]"))
                + SOURCE.replace("@SUM@", KernelSource.store(type, "sums[lane]"))
                        .replace("@X@", KernelSource.stored(from))
                        .replace("@Y@", KernelSource.stored(type))
                        .replace("@WIDTH@", byColumns ? "32" : "1")
                        .replace("@COLUMN@", byColumns ? "threadIdx.x" : "0")
                        .replace("@START@", byColumns ? "threadIdx.y" : "threadIdx.x")
                        .replace("@STEP@", byColumns ? "8" : "256")
                        .replace("@TO@", strided ? "at(yl, to)" : "to");
    }
}
