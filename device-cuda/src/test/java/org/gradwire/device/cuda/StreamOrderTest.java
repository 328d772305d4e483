package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Work of many threads on the same memory, each with its own stream. */
@NeedsFakeCuda
class StreamOrderTest {
    private static final int COUNT = 1000;
    private static final int THREADS = 6;

    private final CudaKernels kernels = new CudaKernels(false);
    private CudaDevice device = FakeCuda.device(0);
    private SplittableRandom random = new SplittableRandom(0);

    /** New streams delay their work in another way each time. */
    @BeforeEach
    void draw(RepetitionInfo repetition) {
        device = FakeCuda.newDevice(0);
        long seed = FakeCuda.SEED * 1000 + repetition.getCurrentRepetition();
        System.out.println("seed " + seed);
        random = new SplittableRandom(seed);
    }

    private static Operand all(CudaMemory memory) {
        return Operand.of(memory, ElementType.INT32, 0, new int[] {COUNT}, new int[] {1});
    }

    private static Operand number(long number) {
        return Operand.number(ElementType.INT32, number);
    }

    private void set(CudaMemory memory, int number) {
        int[] numbers = new int[COUNT];
        Arrays.fill(numbers, number);
        memory.copyFromHost(MemorySegment.ofArray(numbers), 0);
    }

    private static int[] read(CudaMemory memory) {
        int[] numbers = new int[COUNT];
        memory.copyToHost(0, MemorySegment.ofArray(numbers));
        return numbers;
    }

    private static void assertAll(int expected, CudaMemory memory) {
        int[] numbers = new int[COUNT];
        Arrays.fill(numbers, expected);
        assertArrayEquals(numbers, read(memory));
    }

    /** Run a task in each thread at once, and fail as one of them does. */
    private static void together(ExecutorService threads, List<Callable<Void>> tasks)
            throws Exception {
        var barrier = new CyclicBarrier(tasks.size());
        List<Future<Void>> futures = new ArrayList<>();
        for (Callable<Void> task : tasks) {
            futures.add(
                    threads.submit(() -> {
                        barrier.await();
                        return task.call();
                    }));
        }
        for (Future<Void> future : futures) {
            future.get();
        }
    }

    @RepeatedTest(5)
    void changesRunInTheOrderOfTheCalls() throws Exception {
        var memory = new CudaMemory(device, 4 * COUNT);
        set(memory, 0);
        int expected = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < 200; i++) {
                boolean add = random.nextBoolean();
                int number = random.nextInt(1000);
                expected = add ? expected + number : expected * number;
                threads.submit(() ->
                                kernels.run(
                                        add ? "add" : "mul",
                                        all(memory),
                                        List.of(all(memory), number(number))))
                        .get();
            }
            assertAll(expected, memory);
        }
    }

    /** A write after reads of several threads does not overtake one of them. */
    @RepeatedTest(5)
    void writesWaitForAllReads() throws Exception {
        var shared = new CudaMemory(device, 4 * COUNT);
        List<CudaMemory> results = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            results.add(new CudaMemory(device, 4 * COUNT));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int round = 1; round <= 60; round++) {
                set(shared, round);
                List<Callable<Void>> reads = new ArrayList<>();
                for (CudaMemory result : results) {
                    reads.add(() -> {
                        kernels.run("add", all(result), List.of(all(shared), number(1)));
                        return null;
                    });
                }
                together(threads, reads);
                shared.clear();
                for (CudaMemory result : results) {
                    assertAll(round + 1, result);
                }
            }
        }
    }

    @RepeatedTest(3)
    void releasedMemoryIsReusedAfterTheWorkOfOtherStreams() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                tasks.add(() -> {
                    for (int round = 0; round < 50; round++) {
                        sumsOfOwnNumbers(thread * 1000 + round);
                    }
                    return null;
                });
            }
            together(threads, tasks);
        }
        assertEquals(0, device.allocator().use().allocated());
    }

    private void sumsOfOwnNumbers(int number) {
        var one = new CudaMemory(device, 4 * COUNT);
        var two = new CudaMemory(device, 4 * COUNT);
        set(one, number);
        kernels.run("add", all(two), List.of(all(one), number(1)));
        one.release();
        var three = new CudaMemory(device, 4 * COUNT);
        kernels.run("mul", all(three), List.of(all(two), number(2)));
        two.release();
        assertAll(2 * (number + 1), three);
        three.release();
    }

    /** Copies between devices wait for kernels on both. */
    @RepeatedTest(3)
    void copiesBetweenDevicesKeepTheOrder() throws Exception {
        CudaDevice other = FakeCuda.newDevice(1);
        var here = new CudaMemory(device, 4 * COUNT);
        var there = new CudaMemory(other, 4 * COUNT);
        set(here, 1);
        int expected = 1;
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < 60; i++) {
                int number = random.nextInt(100);
                expected = (expected + number) * 3;
                threads.submit(
                                () -> {
                                    run("add", here, number);
                                    here.copyTo(0, there, 0, 4 * COUNT);
                                    here.clear();
                                    return null;
                                })
                        .get();
                threads.submit(
                                () -> {
                                    run("mul", there, 3);
                                    there.copyTo(0, here, 0, 4 * COUNT);
                                    there.clear();
                                    return null;
                                })
                        .get();
            }
            assertAll(expected, here);
        }
    }

    private void run(String name, CudaMemory memory, int number) {
        kernels.run(name, all(memory), List.of(all(memory), number(number)));
    }
}
