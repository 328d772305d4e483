package org.gradwire.bench.memory;

import org.gradwire.bench.process.Jvm;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Sequential;
import org.gradwire.optim.SGD;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/**
 * The memory that training steps of a perceptron 784-512-512-10 on a batch of 64 need: the minimum
 * heap and native memory in which they run, found by search, and the peak bytes of PyTorch's
 * tensors. The heap excludes the baseline of classes and JVM objects, measured with a perceptron of
 * 8 numbers.
 *
 * @param heapBytes the heap
 * @param nativeBytes the native memory of tensors
 * @param pytorchBytes the memory of PyTorch's tensors
 */
public record TrainingMemory(long heapBytes, long nativeBytes, long pytorchBytes) {
    private static final double MOST = 1.3;
    private static final String SIZES = "784,512,512,10";
    private static final String SMALL_SIZES = "2,2,2,2";
    private static final int BATCH = 64;
    private static final int STEPS = 30;
    private static final long KIB = 1024;
    private static final long MOST_KIB = 64 * KIB;
    private static final long GRAIN_KIB = 128;
    private static final long PATIENCE_SECONDS = 60;

    /**
     * Train a perceptron.
     *
     * @param args sizes of the layers, size of a batch, number of steps
     */
    public static void main(String[] args) {
        int[] sizes = Arrays.stream(args[0].split(",", -1)).mapToInt(Integer::parseInt).toArray();
        train(sizes, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    }

    private static void train(int[] sizes, int batch, int steps) {
        var random = new Random(1);
        var net =
                new Sequential(
                        new Linear(sizes[0], sizes[1]),
                        Tensor::relu,
                        new Linear(sizes[1], sizes[2]),
                        Tensor::relu,
                        new Linear(sizes[2], sizes[3]));
        var optimizer = new SGD(net.parameters(), 0.01);
        Tensor data = Tensor.rand(random, batch, sizes[0]);
        Tensor target =
                Tensor.of(LongStream.range(0, batch).map(_ -> random.nextInt(sizes[3])).toArray());
        for (int step = 0; step < steps; step++) {
            try (var _ = TensorScope.open()) {
                net.forward(data).crossEntropy(target).backward();
                optimizer.step();
                optimizer.zeroGrad();
            }
        }
    }

    /**
     * Measure with a Python that has PyTorch.
     *
     * @param program the program that prints the bytes of PyTorch's tensors
     */
    public static TrainingMemory measure(String python, Path program)
            throws IOException, InterruptedException {
        long theirs = pytorchBytes(python, program);
        long heap = KIB * (leastHeapKib(SIZES) - leastHeapKib(SMALL_SIZES));
        return new TrainingMemory(heap, KIB * least(kib -> runs(SIZES, MOST_KIB, kib)), theirs);
    }

    /** {@return the memory of a step as a multiple of that of PyTorch's tensors} */
    public double ratio() {
        return (double) (heapBytes + nativeBytes) / pytorchBytes;
    }

    /** {@return a line for the report} */
    public String line() {
        return String.format(
                Locale.ROOT,
                "memory.mlpstep: gradwire needs %.1f MiB (heap %.1f, native %.1f), PyTorch's tensors have %.1f MiB: %.2f times as much; required: at most %.1f",
                mib(heapBytes + nativeBytes),
                mib(heapBytes),
                mib(nativeBytes),
                mib(pytorchBytes),
                ratio(),
                MOST);
    }

    private static double mib(long bytes) {
        return bytes / (double) (KIB * KIB);
    }

    private static long pytorchBytes(String python, Path program)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                python,
                                program.toString(),
                                SIZES,
                                Integer.toString(BATCH),
                                Integer.toString(STEPS))
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        String printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException("%s ended with %d".formatted(program, process.exitValue()));
        }
        return Long.parseLong(printed);
    }

    private static long leastHeapKib(String sizes) throws IOException {
        return least(kib -> runs(sizes, kib, MOST_KIB));
    }

    /** {@return the minimum KiB with which an action succeeds, within a tolerance} */
    private static long least(LongPredicate works) throws IOException {
        long low = 0;
        long high = MOST_KIB;
        if (!works.test(high)) {
            throw new IOException("training does not run in " + high + " KiB");
        }
        while (high - low > GRAIN_KIB) {
            long middle = (low + high) / 2;
            if (works.test(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    private static boolean runs(String sizes, long heapKib, long nativeKib) {
        List<String> command = new ArrayList<>(Jvm.command(TrainingMemory.class));
        command.addAll(
                1,
                List.of(
                        "-Xmx" + heapKib + "k",
                        "-Dgradwire.tensor.native-limit=" + nativeKib * KIB));
        command.addAll(List.of(sizes, Integer.toString(BATCH), Integer.toString(STEPS)));
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly();
            }
            return ended && process.exitValue() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
