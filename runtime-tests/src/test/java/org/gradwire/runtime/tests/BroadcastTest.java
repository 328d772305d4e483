package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.WorkerGroup;
import org.gradwire.rpc.WorkerGroup.MembersFailedException;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Values that are sent to several members of a group. */
@Timeout(120)
class BroadcastTest {
    private static final int SIZE = 6;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 6, 8, 13, 22})
    void eachMemberOwnsACopy(int size) throws Exception {
        InprocGroup.runFirst(
                size,
                rpc -> {
                    WorkerGroup all = rpc.workers("*");
                    List<Integer> value = List.of(1, 2, 3);
                    List<RRef<List<Integer>>> copies = all.broadcast(value);
                    assertEquals(all.members(), copies.stream().map(RRef::owner).toList());
                    for (RRef<List<Integer>> copy : copies) {
                        assertEquals(value, copy.toHere());
                        if (copy.isOwner()) {
                            assertNotSame(value, copy.localValue());
                        }
                        copy.close();
                    }
                    assertNull(rpc.debugInfo().get("open_references"));
                });
    }

    @Test
    void nullAndTensorsAreValues() throws Exception {
        InprocGroup.runFirst(
                3,
                rpc -> {
                    WorkerGroup others = rpc.workers(List.of("worker1", "worker2"));
                    for (RRef<Tensor> copy : others.broadcast(Tensor.of(1f, 2f))) {
                        assertArrayEquals(new float[] {1, 2}, copy.toHere().toFloatArray());
                        copy.close();
                    }
                    for (RRef<Object> copy : others.<Object>broadcast(null)) {
                        assertNull(copy.toHere());
                        copy.close();
                    }
                    assertThrows(
                            IllegalArgumentException.class, () -> others.broadcast(new Object()));
                });
    }

    /** Nothing remains on any worker once the caller has closed its references. */
    @Test
    void workersThatPassItOnKeepNoReference() {
        try (var workers = new InprocWorkers(8)) {
            workers.get(0).workers("*").broadcast("text").forEach(RRef::close);
            assertNothingLeft(workers, IntStream.range(0, 8).boxed().toList());
        }
    }

    private static void assertNothingLeft(InprocWorkers workers, List<Integer> ranks) {
        for (int rank : ranks) {
            Metrics.awaitNothingOwned(workers.get(rank));
            Metrics.awaitNothingUsed(workers.get(rank));
        }
    }

    /** {@return workers 1 to 5, of which worker 4 passes a value on to worker 5} */
    private static WorkerGroup others(Rpc rpc) {
        return rpc.workers(IntStream.range(1, SIZE).mapToObj(i -> "worker" + i).toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void lostWorkerFailsIt(int lost) {
        try (var workers = new InprocWorkers(SIZE)) {
            Rpc rpc = workers.get(0);
            WorkerGroup others = others(rpc);
            workers.get(lost).shutdownNow();
            var failure =
                    assertThrows(MembersFailedException.class, () -> others.broadcast("text"));
            String head = lost == 3 ? "worker3" : "worker4";
            assertEquals(Set.of(head), failure.failures().keySet());
            assertTrue(failure.getMessage().contains("worker" + lost), failure::getMessage);
            assertNothingLeft(
                    workers, IntStream.range(0, SIZE).filter(i -> i != lost).boxed().toList());
        }
    }

    private static void withPolicy(String policyOfWorker5, InprocGroup.Body body) throws Exception {
        InprocGroup.runEach(
                SIZE,
                rank -> rank == 5 ? Map.of("gradwire.allow", policyOfWorker5) : Map.of(),
                rpc -> {
                    if (rpc.self().id() == 0) {
                        body.run(rpc);
                    }
                });
    }

    private static List<RRef<String>> sendToAll(Rpc rpc) {
        return others(rpc).broadcast("text");
    }

    @Test
    void callerAndWorkersThatPassItOnNeedThePermission() throws Exception {
        withPolicy(
                "worker0, worker4: gradwire::broadcast, gradwire::fetch",
                rpc -> {
                    List<RRef<String>> copies = sendToAll(rpc);
                    assertEquals("text", copies.getLast().toHere());
                    copies.forEach(RRef::close);
                });
        assertDenied("worker0: gradwire::broadcast", "worker4");
    }

    /** A worker cannot send a value through another one to a third that refuses it. */
    @Test
    void callerWithoutThePermissionIsNotHelpedByOthers() throws Exception {
        assertDenied("worker4: *", "worker0");
    }

    private static void assertDenied(String policyOfWorker5, String denied) throws Exception {
        withPolicy(
                policyOfWorker5,
                rpc -> {
                    var failure = assertThrows(MembersFailedException.class, () -> sendToAll(rpc));
                    String text =
                            "permission denied: worker %s may not use gradwire::broadcast here"
                                    .formatted(denied);
                    assertTrue(failure.getMessage().contains(text), failure::getMessage);
                });
    }
}
