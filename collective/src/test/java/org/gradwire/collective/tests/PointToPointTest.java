package org.gradwire.collective.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Messages from one member to another. */
@Timeout(60)
class PointToPointTest {
    private static final int LARGE = 100_000;

    private final long seed = Seeds.next();
    private final SplittableRandom random = new SplittableRandom(seed);

    /** A message, or a sum over all members if the sender is the receiver. */
    private record Event(int from, int to, Tensor tensor) {
        boolean isSum() {
            return from == to;
        }
    }

    /** Each member runs its part of a random program; members are ahead of each other. */
    @ParameterizedTest
    @CsvSource({"2, inproc", "4, inproc", "3, tensorpipe"})
    void messagesArriveInTheOrderOfEachPairWithOperationsOfAll(int size, String backend) {
        List<Event> program = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            program.add(
                    new Event(
                            random.nextInt(size),
                            random.nextInt(size),
                            Samples.tensor(random, Samples.dtype(random), Samples.shape(random))));
        }
        try (Workers workers = new Workers(size, backend, Map.of())) {
            List<Boolean> ends = workers.run("all", group -> runProgram(group, program));
            assertEquals(size, ends.stream().filter(right -> right).count(), "seed " + seed);
        }
    }

    private static boolean runProgram(ProcessGroup group, List<Event> program) {
        boolean right = true;
        List<RpcFuture<@Nullable Void>> sent = new ArrayList<>();
        for (Event event : program) {
            if (event.isSum()) {
                Tensor sum = group.allReduce(Tensor.scalar(group.rank() + 1), ReduceOp.SUM);
                right &= sum.item() == group.size() * (group.size() + 1) / 2.0;
            } else if (event.from == group.rank()) {
                sent.add(group.sendToAsync(event.tensor, event.to));
            } else if (event.to == group.rank()) {
                Tensor received = group.receiveFrom(event.from);
                right &= received.dtype() == event.tensor.dtype();
                right &= received.equal(event.tensor);
            }
        }
        sent.forEach(future -> assertNull(future.join()));
        return right;
    }

    @Test
    void receivesMayBeginBeforeTheirMessages() {
        try (Workers workers = new Workers(2)) {
            List<Double> sums =
                    workers.run(
                            "all",
                            group -> {
                                int peer = 1 - group.rank();
                                List<RpcFuture<Tensor>> received = new ArrayList<>();
                                for (int i = 0; i < 50; i++) {
                                    received.add(group.receiveFromAsync(peer));
                                }
                                group.barrier();
                                for (int i = 0; i < 50; i++) {
                                    group.sendTo(Tensor.scalar(100 * peer + i), peer);
                                }
                                double sum = 0;
                                for (int i = 0; i < 50; i++) {
                                    double value = received.get(i).join().item();
                                    assertEquals(100 * group.rank() + i, value);
                                    sum += value;
                                }
                                return sum;
                            });
            assertEquals(List.of(1_225.0, 6_225.0), sums);
        }
    }

    @ParameterizedTest
    @CsvSource({"7, inproc", "100000, inproc", "7, tensorpipe", "100000, tensorpipe"})
    void aTensorMayChangeAfterItWasSent(int elements, String backend) {
        try (Workers workers = new Workers(2, backend, Map.of())) {
            List<Boolean> right =
                    workers.run(
                            "all",
                            group -> {
                                boolean all = true;
                                Tensor mine = Tensor.full(0, elements);
                                for (int i = 0; i < 20; i++) {
                                    if (group.rank() == 0) {
                                        mine.fill_(i);
                                        group.sendTo(mine, 1);
                                    } else {
                                        all &= group.receiveFrom(0).equal(Tensor.full(i, elements));
                                    }
                                }
                                return all;
                            });
            assertEquals(List.of(true, true), right);
        }
    }

    @Test
    void aSenderThatIsFarAheadWaits() {
        try (Workers workers = new Workers(2)) {
            List<Double> sums =
                    workers.run(
                            "all",
                            group -> {
                                double sum = 0;
                                for (int i = 0; i < 2_000; i++) {
                                    if (group.rank() == 0) {
                                        group.sendTo(Tensor.scalar(i), 1);
                                    } else {
                                        sum += group.receiveFrom(0).item();
                                    }
                                }
                                return sum;
                            });
            assertEquals(List.of(0.0, 1_999_000.0), sums);
        }
    }

    @Test
    void aLostMemberFailsItsSendersAndReceivers() {
        try (Workers workers = new Workers(3)) {
            var running = new CountDownLatch(2);
            List<CompletableFuture<String>> ends =
                    workers.start(
                            "all",
                            group -> {
                                group.barrier();
                                if (group.rank() == 0) {
                                    await(running);
                                    workers.get(0).shutdownNow();
                                    return "";
                                }
                                RpcFuture<?> message =
                                        group.rank() == 1
                                                ? group.receiveFromAsync(0)
                                                : group.sendToAsync(Tensor.ones(LARGE), 0);
                                running.countDown();
                                RpcException failure =
                                        assertThrows(RpcException.class, message::join);
                                assertInstanceOf(RpcConnectionException.class, failure);
                                assertThrows(
                                        RpcConnectionException.class,
                                        () -> group.sendTo(Tensor.ones(1), 3 - group.rank()));
                                return String.valueOf(failure.getMessage());
                            });
            for (int rank = 1; rank < 3; rank++) {
                String text = ends.get(rank).join();
                assertTrue(text.contains("worker0"), text);
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aMessageThatDoesNotComeIsNamedAfterTheTimeout() {
        try (Workers workers = new Workers(2, Map.of("gradwire.collective.call-sites", "true"));
                ProcessGroup group =
                        ProcessGroup.of(
                                workers.get(0), "all", workers.names(), Duration.ofMillis(300))) {
            var failure = assertThrows(RpcTimeoutException.class, () -> group.receiveFrom(1));
            String text = String.valueOf(failure.getMessage());
            assertTrue(
                    text.matches(
                            "message 1 from worker1 to worker0 in the group all at PointToPointTest.java:\\d+ waited on worker0 for \\[worker1\\].*"),
                    text);
        }
    }

    @Test
    void aMemberThatHasClosedTheGroupNeitherSendsNorReceives() {
        try (Workers workers = new Workers(3)) {
            List<Boolean> ends =
                    workers.run(
                            "all",
                            group -> {
                                group.barrier();
                                if (group.rank() == 0) {
                                    return true;
                                }
                                var failure =
                                        assertThrows(
                                                RpcException.class, () -> group.receiveFrom(0));
                                assertEquals(RpcErrorKind.SHUTDOWN, failure.kind());
                                var refused =
                                        assertThrows(
                                                RpcException.class,
                                                () -> group.sendTo(Tensor.ones(1), 0));
                                assertEquals(RpcErrorKind.SHUTDOWN, refused.kind());
                                return true;
                            });
            assertEquals(List.of(true, true, true), ends);
        }
    }

    /** Messages before the news are dropped. */
    @Test
    void messagesToAMemberThatHasClosedTheGroupFail() {
        try (Workers workers = new Workers(2);
                ProcessGroup group = workers.group(0, "all")) {
            workers.group(1, "all").close();
            var failure =
                    assertThrows(
                            RpcException.class,
                            () -> {
                                while (true) { // the time limit ends this
                                    group.sendTo(Tensor.ones(1), 1);
                                }
                            });
            assertEquals(RpcErrorKind.SHUTDOWN, failure.kind());
            assertTrue(
                    String.valueOf(failure.getMessage()).contains("[worker1] closed the group all"),
                    failure::getMessage);
        }
    }

    @Test
    void wrongArgumentsAreNamed() {
        try (Workers workers = new Workers(2);
                ProcessGroup group = workers.group(0, "all")) {
            Tensor x = Tensor.ones(2);
            assertWrong(
                    "the rank 0 is not that of another member of the group all, where worker0 has rank 0 of 2",
                    () -> group.sendTo(x, 0));
            assertWrong(
                    "the rank 2 is not that of another member of the group all, where worker0 has rank 0 of 2",
                    () -> group.receiveFrom(2));
            assertWrong(
                    "collective operations take dense tensors, and allReduce a sparse one alone; call toDense()",
                    () -> group.sendTo(x.toSparse(), 1));
            assertWrong(
                    "this operation is not differentiable, and the tensor requires a gradient; pass tensor.detach(), or run it within GradMode.noGrad()",
                    () -> group.sendToAsync(Tensor.ones(2).requiresGrad(true), 1));
        }
    }

    private static void assertWrong(String text, Runnable operation) {
        assertEquals(
                text, assertThrows(IllegalArgumentException.class, operation::run).getMessage());
    }
}
