package org.gradwire.collective.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Messages that no correct member sends, byte by byte as part B8 of the protocol describes them:
 * each is refused with its reason.
 */
@Timeout(60)
class HostileMemberTest {
    private static final int FAILURE = 0;
    private static final int MAX_EARLY = 4_096;
    private static final String MESSAGE = "a message from one member to another is one tensor";

    /** The id of the first group "all" of the workers 0 and 1. */
    private static long digest() throws Exception {
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        sha.update("all".getBytes(StandardCharsets.UTF_8));
        return ByteBuffer.wrap(
                        sha.digest(ByteBuffer.allocate(12).putInt(1).putInt(0).putInt(1).array()))
                .getLong();
    }

    record Forgery(String reason, Consumer<Forged> change) {
        @Override
        public String toString() {
            return reason;
        }
    }

    static Stream<Forgery> forgeries() {
        return Stream.of(
                new Forgery("operations are counted from 1, not 0", part -> part.number = 0),
                new Forgery("operations ahead of worker0", part -> part.number = 700),
                new Forgery("9", part -> part.step = 9),
                new Forgery("unknown collective operation 77", part -> part.operation = 77),
                new Forgery("unknown element type 99", part -> part.dtype = 99),
                new Forgery("has no element type", part -> part.dtype = 0),
                new Forgery("count 1000000 is not in 0 to", part -> part.types = 1_000_000),
                new Forgery("something else than a tensor", part -> part.values = List.of("text")),
                new Forgery(
                        "exchange dense tensors in host memory",
                        part -> part.values = List.of(Tensor.ones(Forged.SHAPE).toSparse())),
                sparse("does not fit its indices: size is inconsistent", part -> move(part, 99)),
                sparse("do not ascend", part -> move(part, -1)),
                sparse(
                        "exchange coalesced sparse tensors",
                        part -> part.values = List.of(Forged.sparse(false))),
                sparse(
                        "exchange sparse tensors in host memory",
                        part -> part.values = List.of(Tensor.ones(Forged.SHAPE))),
                sparse("count 9 is not in 0 to 1", part -> part.sparseDims = 9),
                message("1000 messages ahead of worker0", _ -> {}),
                message(MESSAGE, part -> part.values = List.of()),
                message(MESSAGE, part -> part.values = Collections.nCopies(2, Tensor.ones(1))),
                message(MESSAGE, part -> part.step = 1),
                message(MESSAGE, part -> part.reduce = Forged.SUM),
                message(MESSAGE, part -> part.types = 1));
    }

    private static Forgery message(String reason, Consumer<Forged> change) {
        Consumer<Forged> toMessage = Forged::asMessage;
        return new Forgery(reason, toMessage.andThen(change));
    }

    private static Forgery sparse(String reason, Consumer<Forged> change) {
        Consumer<Forged> toSparse = Forged::asSparse;
        return new Forgery(reason, toSparse.andThen(change));
    }

    /** Change the indices after the tensor was made, which checks them. */
    private static void move(Forged part, int factor) {
        part.values = List.of(Forged.sparse(true));
        Tensor sparse = (Tensor) part.values.getFirst();
        sparse.heldIndices().mul_(factor);
    }

    private static RpcFuture<Input> send(
            Workers workers, int from, int type, Consumer<Output> body) {
        return Worker.of(workers.get(from)).request(0, type, body, Duration.ofSeconds(30));
    }

    private static void assertRefused(String reason, RpcFuture<Input> sent) {
        RpcException refused = assertThrows(RpcException.class, sent::join);
        assertTrue(refused.getMessage().contains(reason), refused.getMessage());
    }

    /** Two of the workers make a group and run its first two operations. */
    private static List<ProcessGroup> pair(Workers workers) {
        List<ProcessGroup> groups = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            groups.add(ProcessGroup.of(workers.get(rank), "all", Workers.names(2), Workers.LIMIT));
        }
        assertSum(groups);
        assertSum(groups);
        return groups;
    }

    private static void assertSum(List<ProcessGroup> groups) {
        List<RpcFuture<Tensor>> sums =
                groups.stream()
                        .map(group -> group.allReduceAsync(Tensor.ones(Forged.SHAPE), ReduceOp.SUM))
                        .toList();
        sums.forEach(sum -> assertTrue(sum.join().equal(Tensor.full(2.0f, Forged.SHAPE))));
    }

    private static RpcFuture<Input> sendPart(Workers workers, int from, Consumer<Forged> change)
            throws Exception {
        var forged = new Forged();
        change.accept(forged);
        long group = digest();
        return send(workers, from, MessageTypes.COLLECTIVE_REQ, out -> forged.write(group, out));
    }

    @ParameterizedTest
    @MethodSource("forgeries")
    void aForgedPartIsRefusedAndBreaksNothing(Forgery forgery) throws Exception {
        try (Workers workers = new Workers(2)) {
            List<ProcessGroup> groups = pair(workers);
            assertRefused(forgery.reason, sendPart(workers, 1, forgery.change));
            assertSum(groups);
        }
    }

    @Test
    void aWorkerThatIsNotAMemberCannotTakePartOrEndTheGroup() throws Exception {
        try (Workers workers = new Workers(3)) {
            List<ProcessGroup> groups = pair(workers);
            String reason = "worker 2 is not a member of the group all";
            assertRefused(reason, sendPart(workers, 2, _ -> {}));
            long group = digest();
            assertRefused(
                    reason,
                    send(workers, 2, MessageTypes.COLLECTIVE_END_REQ, out -> writeEnd(group, out)));
            assertSum(groups);
        }
    }

    /** A successor of a lost member does not know the groups that broke with the loss. */
    @Test
    void aPartThatComesAfterTheEndOfAnUnknownGroupIsAcknowledged() throws Exception {
        try (Workers workers = new Workers(2)) {
            long group = 4711;
            RpcFuture<Input> early =
                    send(workers, 1, MessageTypes.COLLECTIVE_REQ, out -> writePart(group, out));
            RpcFuture<Input> end =
                    send(workers, 1, MessageTypes.COLLECTIVE_END_REQ, out -> writeEnd(group, out));
            var _ = end.join();
            var _ = early.join();
            var _ =
                    send(workers, 1, MessageTypes.COLLECTIVE_REQ, out -> writePart(group, out))
                            .join();
            assertEquals("0", workers.get(0).debugInfo().get("num_early_collective_messages"));
        }
    }

    private static void writePart(long group, Output out) {
        new Forged().write(group, out);
    }

    private static void writeEnd(long group, Output out) {
        out.writeLong(group);
        out.writeInt(FAILURE);
        out.writeInt(RpcErrorKind.UNKNOWN.code());
        out.writeString("the end");
    }

    /** The signature of the part promises another shape than its tensor has. */
    @Test
    void aTensorThatIsNotAsAnnouncedFailsTheOperation() throws Exception {
        assertFails(
                "worker1 sent a tensor of float32[3] instead of float32[2]",
                Tensor.ones(Forged.SHAPE),
                part -> part.values = List.of(Tensor.ones(3)));
    }

    /** The part has another number of tensors than its signature. */
    @Test
    void aListThatIsNotAsAnnouncedFailsTheOperation() throws Exception {
        assertFails(
                "worker1 sent 3 tensors instead of 1",
                Tensor.ones(Forged.SHAPE),
                part -> part.values = Collections.nCopies(3, Tensor.ones(Forged.SHAPE)));
    }

    @Test
    void aSparseTensorThatIsNotAsAnnouncedFailsTheOperation() throws Exception {
        assertFails(
                "worker1 sent a tensor of float32[7] (sparse, sparseDim 1) instead of float32[2] (sparse, sparseDim 1)",
                Forged.sparse(true),
                part -> {
                    part.asSparse();
                    part.values = List.of(Tensor.ones(7).toSparse());
                });
    }

    /** Assert that a reduction fails for a part that worker 1 forges, and that it gets a reply. */
    private static void assertFails(String reason, Tensor own, Consumer<Forged> forge)
            throws Exception {
        try (Workers workers = new Workers(2)) {
            List<ProcessGroup> groups = pair(workers);
            RpcFuture<Input> sent = sendPart(workers, 1, forge);
            var failure =
                    assertThrows(
                            RpcException.class,
                            () -> groups.getFirst().allReduce(own, ReduceOp.SUM));
            assertTrue(failure.getMessage().contains(reason), failure.getMessage());
            sent.join(Workers.LIMIT);
        }
    }

    @Test
    void aPartThatArrivesAgainCountsOnce() throws Exception {
        try (Workers workers = new Workers(2)) {
            List<ProcessGroup> groups = pair(workers);
            sendPart(workers, 1, part -> part.number = 2).join(); // which has ended
            RpcFuture<Input> first = sendPart(workers, 1, _ -> {});
            RpcFuture<Input> again =
                    sendPart(
                            workers,
                            1,
                            part -> part.values = List.of(Tensor.full(9.0f, Forged.SHAPE)));
            Tensor sum = groups.getFirst().allReduce(Tensor.ones(Forged.SHAPE), ReduceOp.SUM);
            assertTrue(sum.equal(Tensor.full(2.0f, Forged.SHAPE)));
            first.join(Workers.LIMIT);
            again.join(Workers.LIMIT);
        }
    }

    @Test
    void partsForGroupsThatAreNotMadeAreLimitedAndEndWithTheirSender() throws Exception {
        try (Workers workers = new Workers(2)) {
            List<RpcFuture<Input>> kept = new ArrayList<>();
            for (int i = 0; i < MAX_EARLY; i++) {
                kept.add(sendPart(workers, 1, _ -> {}));
            }
            assertRefused(
                    "worker 1 sent more than 4096 messages for groups that worker0 has not made",
                    sendPart(workers, 1, _ -> {}));
            assertTrue(kept.stream().noneMatch(RpcFuture::isDone));
            assertEquals("4096", early(workers));
            workers.get(1).shutdownNow();
            while (!early(workers).equals("0")) {
                Thread.onSpinWait(); // the time limit ends this
            }
        }
    }

    private static String early(Workers workers) {
        return workers.get(0).debugInfo().getOrDefault("num_early_collective_messages", "none");
    }
}
