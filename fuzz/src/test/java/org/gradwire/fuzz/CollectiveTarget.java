package org.gradwire.fuzz;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.tensor.Tensor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Fuzz target: a message of a member of a process group to another, whose operations wait for it.
 * Each request and each operation ends.
 */
public final class CollectiveTarget {
    private static final String NAME = "fuzz";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int ID =
            2; // position of the group's id: after flags and the code of a long
    private static final byte LONG = (byte) 0xa7;

    private static int groups;

    private CollectiveTarget() {}

    /** Send a message to a new group. */
    public static void fuzzerTestOneInput(byte[] input) throws InterruptedException {
        Message request = MessageInput.decode(input);
        if (request == null || !isOfGroup(request)) {
            return;
        }
        List<RpcFuture<?>> operations = new ArrayList<>();
        try (ProcessGroup victim = make(WorkerTarget.group().victim());
                ProcessGroup _ = make(WorkerTarget.group().attacker())) {
            groups++;
            begin(victim, operations);
            WorkerTarget.send(new Message(request.type(), addressed(request), request.buffers()));
        }
        operations.forEach(CollectiveTarget::awaitEnd);
    }

    private static boolean isOfGroup(Message request) {
        return request.type() == MessageTypes.COLLECTIVE_REQ
                || request.type() == MessageTypes.COLLECTIVE_END_REQ;
    }

    private static ProcessGroup make(Rpc rpc) {
        return ProcessGroup.of(rpc, NAME, List.of(Group.ATTACKER, Group.VICTIM), PATIENCE);
    }

    /** Begin operations of all kinds: the number in a part selects one. */
    private static void begin(ProcessGroup group, List<RpcFuture<?>> operations) {
        Tensor dense = Tensor.ones(2);
        operations.add(group.allReduceAsync(dense, ReduceOp.SUM));
        operations.add(group.allReduceAsync(dense.toSparse(), ReduceOp.MEAN));
        operations.add(group.allReduceAsync(List.of(dense, Tensor.of(1L), dense), ReduceOp.MAX));
        operations.add(group.broadcastAsync(List.of(dense, dense), 0));
        operations.add(group.allGatherAsync(dense));
        operations.add(group.reduceScatterAsync(List.of(dense, dense), ReduceOp.SUM));
        operations.add(group.allReduceAsync(Tensor.ones(9_000), ReduceOp.SUM));
        if (group.rank() == 1) {
            operations.add(group.receiveFromAsync(0));
        } else {
            operations.add(group.sendToAsync(dense, 1));
        }
    }

    private static void awaitEnd(RpcFuture<?> operation) {
        try {
            var _ = operation.join(PATIENCE);
        } catch (RpcException e) {
            if (!operation.isDone()) {
                throw new AssertionError("an operation did not end", e);
            }
        }
    }

    /** {@return the payload with the id of the current group, which counts its groups} */
    private static byte[] addressed(Message request) {
        byte[] payload = request.payload().clone();
        if (payload.length >= ID + Long.BYTES && payload[ID - 1] == LONG) {
            ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN).putLong(ID, digest(groups));
        }
        return payload;
    }

    private static long digest(int count) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(NAME.getBytes(StandardCharsets.UTF_8));
            byte[] numbers = ByteBuffer.allocate(12).putInt(count).putInt(0).putInt(1).array();
            return ByteBuffer.wrap(sha.digest(numbers)).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** {@return the messages of a member that runs these operations} */
    public static List<byte[]> seeds() {
        Group workers = WorkerTarget.group();
        TappedBackend.Agent agent = TappedBackend.agent(Group.ATTACKER);
        agent.keep();
        List<RpcFuture<?>> operations = new ArrayList<>();
        try (ProcessGroup victim = make(workers.victim());
                ProcessGroup attacker = make(workers.attacker())) {
            groups++;
            begin(victim, operations);
            begin(attacker, operations);
            operations.forEach(operation -> operation.join(PATIENCE));
        }
        return agent.sent().stream()
                .filter(CollectiveTarget::isOfGroup)
                .map(MessageInput::encode)
                .toList();
    }
}
