package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteException;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerGroup;
import org.gradwire.rpc.WorkerGroup.FailureRule;
import org.gradwire.rpc.WorkerGroup.MemberResult;
import org.gradwire.rpc.WorkerGroup.MembersFailedException;
import org.gradwire.rpc.WorkerGroup.ResultStream;
import org.gradwire.rpc.WorkerGroup.Results;
import org.gradwire.runtime.tests.functions.Holds;
import org.gradwire.runtime.tests.functions.Members;
import org.gradwire.runtime.tests.functions.Numbers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;

/** Calls of several members of a group together, by worker 0 of four. */
@Timeout(120)
class WorkerGroupTest {
    private final InprocWorkers workers = new InprocWorkers(4);
    private final Rpc rpc = workers.get(0);
    private final WorkerGroup others = rpc.workers(List.of("worker3", "worker1", "worker2"));

    @AfterEach
    void stop() {
        workers.close();
    }

    private Holds holds(int rank) {
        return Holds.of(workers.get(rank));
    }

    private static Call<String> act(String failing, String holding) {
        return Call.to(Members::act, failing, holding);
    }

    private static MembersFailedException failureOf(Executable call) {
        return assertThrows(MembersFailedException.class, call);
    }

    // ---- members

    @Test
    void patternSelectsMembersByName() {
        assertEquals(
                List.of("worker0", "worker1", "worker2", "worker3"), rpc.workers("w*").names());
        assertEquals(4, rpc.workers("worker?").size());
        assertEquals(List.of("worker2"), rpc.workers("*r2").names());
        assertEquals(List.of(rpc.worker("worker1")), rpc.workers("worker1").members());
        assertThrows(RpcException.class, () -> rpc.workers("worker"));
        assertThrows(RpcException.class, () -> rpc.workers("worker[0-9]"));
        String text = assertThrows(RpcException.class, () -> rpc.workers("trainer*")).getMessage();
        assertEquals(
                "no member of the group has a name like \"trainer*\"; the members are worker0, worker1, worker2, worker3",
                text);
    }

    @Test
    void namesSelectMembersOnceByTheirIds() {
        assertEquals(List.of("worker1", "worker2", "worker3"), others.names());
        assertThrows(
                IllegalArgumentException.class, () -> rpc.workers(List.of("worker1", "worker1")));
        assertThrows(IllegalArgumentException.class, () -> rpc.workers(List.of()));
        assertThrows(RpcException.class, () -> rpc.workers(List.of("worker9")));
    }

    @Test
    void sliceIsAPart() {
        assertEquals(List.of("worker2", "worker3"), others.slice(1, 3).names());
        assertEquals("worker3", others.slice(1, 3).get(1).name());
        assertThrows(IllegalArgumentException.class, () -> others.slice(1, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> others.slice(1, 4));
        assertThrows(IndexOutOfBoundsException.class, () -> others.get(3));
    }

    // ---- results

    @Test
    void allGetTheSameArgumentsOrTheirs() {
        assertEquals(
                Map.of("worker1", 9, "worker2", 9, "worker3", 9),
                others.callAll(Call.to(Numbers::square, 3)).byName());
        Results<Integer> each = others.callAll(i -> Call.to(Numbers::square, i + 4));
        assertEquals(List.of(16, 25, 36), each.values());
        assertEquals(List.copyOf(each.byName().keySet()), others.names());
        assertEquals(25, each.get("worker2"));
        assertThrows(NoSuchElementException.class, () -> each.get("worker0"));
        assertEquals(
                List.of("worker0", "worker1", "worker2", "worker3"),
                rpc.workers("*").callAll(Call.to(Members::name)).values());
    }

    @Test
    void argumentsThatCannotBeSentCancelTheCallsBefore() throws Exception {
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        others.callAll(i ->
                                i == 0
                                        ? Call.<Object, Object>to(Members::hold, 1)
                                        : Call.to(Numbers::echo, unsendable())));
        holds(1).awaitInterrupted();
    }

    /** {@return a value that cannot be sent, after worker 1 has begun its call} */
    private Object unsendable() {
        try {
            holds(1).awaitEntered();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return new Object();
    }

    // ---- rules

    @Test
    void firstFailureFailsAllAndCancelsTheRest() throws Exception {
        var failure = failureOf(() -> others.callAll(act("worker2", "worker1 worker3")));
        assertEquals(Set.of("worker2"), failure.failures().keySet());
        assertInstanceOf(RemoteException.class, failure.failures().get("worker2"));
        assertEquals(failure.failures().get("worker2"), failure.getCause());
        assertTrue(
                failure.getMessage()
                        .startsWith(
                                "3 of 3 members must succeed, but 1 failed: worker2: RemoteException: "),
                failure::getMessage);
        assertTrue(failure.getMessage().contains("no luck on worker2"), failure::getMessage);
        assertFalse(failure.getMessage().contains("\n"), failure::getMessage);
    }

    @Test
    void runningFunctionsAreInterrupted() throws Exception {
        RpcFuture<Results<String>> all = others.callAllAsync(act("", "worker1 worker3"));
        holds(1).awaitEntered();
        holds(3).awaitEntered();
        assertTrue(all.cancel());
        assertEquals(RpcErrorKind.CANCELLED, assertThrows(RpcException.class, all::join).kind());
        holds(1).awaitInterrupted();
        holds(3).awaitInterrupted();
    }

    @Test
    void anyIsCompleteWithTheFirstResult() throws Exception {
        Results<String> any = others.callAll(act("worker1", "worker3"), FailureRule.ANY);
        assertEquals(List.of("worker2"), any.values());
        var failure =
                failureOf(() -> others.callAll(act("worker1worker2worker3", ""), FailureRule.ANY));
        assertEquals(Set.copyOf(others.names()), failure.failures().keySet());
        assertEquals(2, failure.getSuppressed().length);
    }

    @Test
    void quorumIsCompleteWithEnoughResults() throws Exception {
        RpcFuture<Results<String>> two =
                others.callAllAsync(act("", "worker1 worker3"), FailureRule.quorum(2));
        holds(1).awaitEntered();
        holds(3).awaitEntered();
        assertFalse(two.isDone());
        holds(3).release();
        assertEquals(List.of("worker2", "worker3"), two.join().values());
        holds(1).awaitInterrupted();
        var failure =
                failureOf(() ->
                        others.callAll(act("worker1 worker3", "worker2"), FailureRule.quorum(2)));
        assertEquals(Set.of("worker1", "worker3"), failure.failures().keySet());
    }

    @Test
    void ruleThatCannotBeKeptIsRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> others.callAll(Call.to(Members::name), FailureRule.quorum(4)));
        assertThrows(IllegalArgumentException.class, () -> FailureRule.quorum(0));
        assertThrows(IllegalArgumentException.class, () -> new FailureRule(-1));
    }

    @Test
    void lostMemberFailsItsCall() throws Exception {
        RpcFuture<Results<String>> all = others.callAllAsync(act("", "worker1 worker3"));
        RpcFuture<Results<String>> two =
                others.callAllAsync(act("", "worker3"), FailureRule.quorum(2));
        holds(1).awaitEntered();
        holds(3).awaitEntered();
        workers.get(3).shutdownNow();
        var failure = failureOf(all::join);
        assertEquals(Set.of("worker3"), failure.failures().keySet());
        assertEquals(RpcErrorKind.CONNECTION, failure.kind());
        assertEquals(List.of("worker1", "worker2"), two.join().values());
        holds(1).awaitInterrupted();
        var later = failureOf(() -> others.callAll(Call.to(Members::name)));
        assertEquals(Set.of("worker3"), later.failures().keySet());
    }

    @Test
    void timeoutIsThatOfEachCall() {
        var failure =
                failureOf(() ->
                        others.withTimeout(Duration.ofMillis(300)).callAll(act("", "worker2")));
        assertEquals(Set.of("worker2"), failure.failures().keySet());
        assertInstanceOf(RpcTimeoutException.class, failure.getCause());
        assertEquals(RpcErrorKind.TIMEOUT, failure.kind());
    }

    @Test
    void scopeWaitsForTheGroupAndNotForCancelledCalls() throws Exception {
        RpcFuture<Results<String>> first;
        try (var _ = rpc.waitAll()) {
            first = others.callAllAsync(act("", "worker1 worker2"), FailureRule.ANY);
        }
        assertEquals(List.of("worker3"), first.value().values());
    }

    @Test
    void referencesInDroppedResultsAreClosed() {
        Call<RRef<String>> call = Call.to(Members::refer, "worker3", "");
        failureOf(() -> others.callAll(call));
        Metrics.awaitNothingUsed(rpc);
        try (ResultStream<RRef<String>> stream = others.stream(call)) {
            assertTrue(stream.iterator().hasNext());
        }
        Metrics.awaitNothingUsed(rpc);
    }

    // ---- streams, the first and the least busy

    @Test
    void streamReturnsResultsAsTheyArrive() throws Exception {
        try (ResultStream<String> stream = others.stream(act("", "worker1 worker2"))) {
            Iterator<MemberResult<String>> results = stream.iterator();
            assertEquals("worker3", results.next().worker().name());
            holds(2).release();
            assertEquals("worker2", results.next().value());
            holds(1).release();
            assertEquals("worker1", results.next().value());
            assertFalse(results.hasNext());
            assertThrows(NoSuchElementException.class, results::next);
        }
    }

    @Test
    void streamHasFailuresToo() {
        List<String> failed = new ArrayList<>();
        try (ResultStream<String> stream = others.stream(act("worker1 worker3", ""))) {
            for (MemberResult<String> result : stream) {
                try {
                    assertEquals(result.worker().name(), result.value());
                } catch (RemoteException e) {
                    failed.add(result.worker().name());
                }
            }
        }
        assertEquals(Set.of("worker1", "worker3"), Set.copyOf(failed));
    }

    @Test
    void closedStreamCancelsTheRest() throws Exception {
        ResultStream<String> stream = others.stream(act("", "worker1 worker2"));
        assertEquals("worker3", stream.iterator().next().value());
        holds(1).awaitEntered();
        holds(2).awaitEntered();
        stream.close();
        stream.close();
        holds(1).awaitInterrupted();
        holds(2).awaitInterrupted();
        assertFalse(stream.iterator().hasNext());
        assertThrows(NoSuchElementException.class, () -> stream.iterator().next());
    }

    @Test
    void firstResultCancelsTheOthers() throws Exception {
        assertEquals("worker2", others.first(act("worker1", "worker3")));
        assertEquals(
                Set.copyOf(others.names()),
                failureOf(() -> others.first(act("worker1worker2worker3", "")))
                        .failures()
                        .keySet());
    }

    @Test
    void leastBusyMemberIsChosen() throws Exception {
        List<String> idle = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            idle.add(others.choose().name());
        }
        idle.sort(null);
        assertEquals(
                List.of("worker1", "worker1", "worker2", "worker2", "worker3", "worker3"), idle);
        RpcFuture<Integer> held = rpc.rpcAsync("worker2", Holds::hold, 1);
        for (int i = 0; i < 6; i++) {
            assertNotEquals("worker2", others.choose().name());
        }
        holds(2).awaitEntered();
        holds(2).release();
        assertEquals(1, held.join());
    }
}
