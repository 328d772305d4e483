package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.runtime.tests.HeldBackend.Hold;
import org.gradwire.runtime.tests.functions.Holds;
import org.gradwire.runtime.tests.functions.Numbers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Workers in the middle of joining or ending, as seen by other workers. */
@Timeout(60)
class ComingAndGoingTest {
    private final String meeting = "inproc://" + UUID.randomUUID();
    private final List<Rpc> workers = new ArrayList<>();

    private Rpc join(int rank) {
        return Rpc.init(
                RpcOptions.builder()
                        .rank(rank)
                        .dynamicGroup()
                        .backend(HeldBackend.NAME)
                        .rendezvous(meeting)
                        .build());
    }

    @AfterEach
    void close() {
        workers.forEach(Rpc::shutdownNow);
    }

    @Test
    void joiningWorkerIsListedWhenItCanBeCalled() {
        Rpc first = join(0);
        workers.add(first);
        Hold connecting = HeldBackend.holdConnect(first.self());
        CompletableFuture<Rpc> joining = InprocWorkers.onThread(() -> join(1));
        try {
            connecting.awaitReached();
            assertEquals(List.of(first.self()), first.workers());
            assertThrows(RpcException.class, () -> first.worker("worker1"));
            assertThrows(RpcException.class, () -> first.worker(1));
        } finally {
            connecting.release();
        }
        Rpc second = joining.join();
        workers.add(second);
        assertEquals(List.of(first.self(), second.self()), first.workers());
        assertEquals(List.of(first.self(), second.self()), second.workers());
        assertEquals(5, first.rpcSync("worker1", Numbers::add, 2, 3));
    }

    @Test
    void functionThatFailsDueToItsWorkersEndIsReportedAsLost() throws Exception {
        Rpc caller = join(0);
        Rpc callee = join(1);
        workers.addAll(List.of(caller, callee));
        RpcFuture<Integer> call = caller.rpcAsync("worker1", Holds::holdWhileOpen, 0);
        Holds.of(callee).awaitEntered();
        Hold closing = HeldBackend.holdClose(callee.self());
        CompletableFuture<Void> ending =
                InprocWorkers.onThread(() -> {
                    callee.shutdownNow();
                    return null;
                });
        try {
            closing.awaitReached();
            Holds.of(callee).release();
            var failure = assertThrows(RpcConnectionException.class, call::join);
            assertTrue(failure.getMessage().contains("worker1"), failure.getMessage());
        } finally {
            closing.release();
        }
        ending.join();
    }

    @Test
    void unreachableMemberDoesNotPreventJoins() {
        Rpc first = join(0);
        Rpc second = join(1);
        workers.addAll(List.of(first, second));
        HeldBackend.failConnect(
                first.self(), 1, new RpcConnectionException("worker1 has another address now"));
        Rpc newcomer = join(2);
        workers.add(newcomer);
        assertEquals(5, first.rpcSync("worker2", Numbers::add, 2, 3));
        assertEquals(5, newcomer.rpcSync("worker1", Numbers::add, 2, 3));
        assertEquals(5, first.rpcSync("worker1", Numbers::add, 2, 3));
        assertEquals(3, first.workers().size());
    }

    @Test
    void faultOfAMemberDoesNotExpelAJoiningWorker() {
        Rpc first = join(0);
        Rpc second = join(1);
        workers.addAll(List.of(first, second));
        HeldBackend.failConnect(
                first.self(), 2, new RpcConfigurationException("out of file descriptors"));
        Rpc newcomer = join(2);
        workers.add(newcomer);
        assertEquals(5, second.rpcSync("worker2", Numbers::add, 2, 3));
        assertEquals(5, newcomer.rpcSync("worker1", Numbers::add, 2, 3));
        assertEquals(3, second.workers().size());
        assertEquals(List.of(first.self(), second.self()), first.workers());
        HeldBackend.allowConnect(first.self());
        InprocWorkers.awaitMembers(first, 3);
        assertEquals(5, first.rpcSync("worker2", Numbers::add, 2, 3));
    }
}
