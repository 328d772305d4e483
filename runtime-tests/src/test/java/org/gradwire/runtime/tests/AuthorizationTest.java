package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.profiler.Profiler;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.runtime.tests.functions.Counter;
import org.gradwire.runtime.tests.functions.Numbers;
import org.gradwire.runtime.tests.functions.Relays;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Permissions and refusals of a policy, for each kind of request. */
@Timeout(60)
class AuthorizationTest {
    private static final String FUNCTIONS = "org.gradwire.runtime.tests.functions.";
    private static final String SQUARE = FUNCTIONS + "Numbers.square";
    private static final String COUNTER = FUNCTIONS + "Counter";

    /** Run worker 0 in a group with worker 1, which permits some actions to it. */
    private static void withPolicy(String actions, InprocGroup.Body body) throws Exception {
        InprocGroup.runEach(
                2,
                rank -> rank == 1 ? Map.of("gradwire.allow", "worker0: " + actions) : Map.of(),
                rpc -> {
                    if (rpc.self().id() == 0) {
                        body.run(rpc);
                    }
                });
    }

    private static void assertDenied(String action, Executable attempt) {
        RpcException denied = assertThrows(RpcException.class, attempt);
        assertEquals(RpcErrorKind.PERMISSION_DENIED, denied.kind(), denied::getMessage);
        String text = "permission denied: worker worker0 may not use " + action + " here";
        assertTrue(denied.getMessage().contains(text), denied::getMessage);
    }

    @Test
    void functionsAreCalledByTheirNamesOnly() throws Exception {
        withPolicy(
                SQUARE,
                rpc -> {
                    assertEquals(9, rpc.rpcSync("worker1", Numbers::square, 3));
                    String add = FUNCTIONS + "Numbers.add";
                    assertDenied(add, () -> rpc.rpcSync("worker1", Numbers::add, 1, 2));
                    assertDenied(add, () -> rpc.rpcAsync("worker1", Numbers::add, 1, 2).join());
                    assertDenied(
                            add,
                            () ->
                                    rpc.withRetry(Relays.PERSISTENT)
                                            .rpcSync("worker1", Numbers::add, 1, 2));
                    assertEquals(16, rpc.rpcSync("worker1", Numbers::square, 4));
                    assertEquals(25, rpc.rpcAsync("worker1", Numbers::square, 5).join());
                });
    }

    @Test
    void withoutAPolicyEverythingIsPermitted() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    assertEquals(3, rpc.rpcSync("worker1", Numbers::add, 1, 2));
                    assertEquals("0", rpc.debugInfo().get("num_permission_denials"));
                });
    }

    @Test
    void aWorkerMayDoEverythingOnItself() throws Exception {
        InprocGroup.run(
                1,
                Map.of("gradwire.allow", "worker9: " + SQUARE),
                rpc -> {
                    assertEquals(3, rpc.rpcSync("worker0", Numbers::add, 1, 2));
                    try (RRef<Integer> sum = rpc.remote("worker0", Numbers::add, 1, 2)) {
                        assertEquals(3, sum.toHere());
                    }
                    rpc.barrier(Set.of());
                    RpcFunction.Function2<Integer, Integer, Integer> add = Numbers::add;
                    byte[] saved = rpc.serialization().toBytes(add);
                    rpc.serialization().fromBytes(saved, RpcFunction.class);
                });
    }

    @Test
    void operatorsAreCalledByTheNamesOfTheirSchemas() throws Exception {
        Tensor one = Tensor.ones(2);
        withPolicy(
                "aten::add.Tensor",
                rpc -> {
                    Tensor sum = rpc.rpcSync("worker1", Ops::add, one, one);
                    assertTrue(sum.equal(Tensor.ones(2).mul(2)));
                    assertDenied(
                            "aten::mul.Tensor", () -> rpc.rpcSync("worker1", Ops::mul, one, one));
                });
    }

    @Test
    void methodsOfReferencesAreFunctions() throws Exception {
        withPolicy(
                COUNTER + ", " + COUNTER + ".get",
                rpc -> {
                    try (RRef<Counter> counter = rpc.remote("worker1", Counter::new, 5)) {
                        assertEquals(5, counter.rpcSync(Counter::get));
                        assertDenied(COUNTER + ".add", () -> counter.rpcSync(Counter::add, 1, 1));
                        assertDenied("gradwire::type_name", () -> counter.typeNameAsync().join());
                        assertEquals(5, counter.rpcSync(Counter::get));
                    }
                });
    }

    @Test
    void aRefusedRemoteCallFailsItsReference() throws Exception {
        withPolicy(
                SQUARE + ", gradwire::fetch",
                rpc -> {
                    try (RRef<Integer> sum = rpc.remote("worker1", Numbers::add, 1, 2)) {
                        assertThrows(RpcException.class, sum::toHere);
                    }
                    try (RRef<Integer> square = rpc.remote("worker1", Numbers::square, 3)) {
                        assertEquals(9, square.toHere());
                    }
                });
    }

    @Test
    void fetchesNeedAPermission() throws Exception {
        withPolicy(
                SQUARE,
                rpc -> {
                    try (RRef<Integer> square = rpc.remote("worker1", Numbers::square, 3)) {
                        assertDenied("gradwire::fetch", square::toHere);
                    }
                });
    }

    @Test
    void functionsAsValuesNeedTheirPermission() throws Exception {
        withPolicy(
                FUNCTIONS + "Numbers.echo, " + SQUARE,
                rpc -> {
                    RpcFunction.Function1<Integer, Integer> square = Numbers::square;
                    RpcFunction.Function2<Integer, Integer, Integer> add = Numbers::add;
                    assertTrue(
                            rpc.rpcSync("worker1", Numbers::echo, square) instanceof RpcFunction);
                    assertDenied(
                            FUNCTIONS + "Numbers.add",
                            () -> rpc.rpcSync("worker1", Numbers::echo, add));
                });
    }

    @Test
    void passesNeedAPermissionOfBothWorkers() throws Exception {
        Tensor leaf = Tensor.ones(2).requiresGrad(true);
        withPolicy(
                "aten::*, gradwire::autograd", rpc -> assertTrue(gradient(rpc, leaf).equal(leaf)));
        withPolicy("aten::*", rpc -> assertDenied("gradwire::autograd", () -> gradient(rpc, leaf)));
    }

    private static Tensor gradient(Rpc rpc, Tensor leaf) {
        try (AutogradContext context = DistAutograd.context(rpc)) {
            Tensor sum = rpc.rpcSync("worker1", Ops::add, leaf, Tensor.ones(2));
            context.backward(sum.sum());
            return Objects.requireNonNull(context.gradients().get(leaf));
        }
    }

    @Test
    void profilesNeedAPermission() throws Exception {
        withPolicy(
                SQUARE,
                rpc -> {
                    try (Profiler _ = Profiler.start(rpc)) {
                        assertDenied(
                                "gradwire::profile",
                                () -> rpc.rpcSync("worker1", Numbers::square, 3));
                    }
                    assertEquals(9, rpc.rpcSync("worker1", Numbers::square, 3));
                });
    }

    @Test
    void barriersNeedAPermissionAndShutdownNone() throws Exception {
        for (String actions : new String[] {"gradwire::all-gather", SQUARE}) {
            boolean permitted = actions.startsWith("gradwire");
            var isDenied = new CountDownLatch(1);
            InprocGroup.runEach(
                    2,
                    rank -> rank == 0 ? Map.of("gradwire.allow", "worker1: " + actions) : Map.of(),
                    rpc -> {
                        if (permitted) {
                            rpc.barrier(Set.of());
                        } else if (rpc.self().id() == 1) { // the follower
                            RpcException denied =
                                    assertThrows(RpcException.class, () -> rpc.barrier(Set.of()));
                            assertEquals(RpcErrorKind.PERMISSION_DENIED, denied.kind());
                            isDenied.countDown();
                        } else { // the leader, which must not shut down before
                            assertTrue(isDenied.await(60, TimeUnit.SECONDS));
                        }
                    });
        }
    }

    @Test
    void joiningADynamicGroupNeedsAPermission() {
        String meeting = "inproc://" + UUID.randomUUID();
        try (Rpc first = join(meeting, 0, "first", "friend*: gradwire::join")) {
            RpcException denied =
                    assertThrows(RpcException.class, () -> join(meeting, 1, "eve", "eve: *"));
            assertEquals(RpcErrorKind.PERMISSION_DENIED, denied.kind(), denied::getMessage);
            try (Rpc friend = join(meeting, 2, "friend1", "first: *")) {
                assertEquals(4, first.rpcSync("friend1", Numbers::square, 2));
                RpcException noRule =
                        assertThrows(
                                RpcException.class,
                                () -> friend.rpcSync("first", Numbers::square, 2));
                assertEquals(RpcErrorKind.PERMISSION_DENIED, noRule.kind());
            }
        }
    }

    /** A new worker under the id of an old one has no permission of that. */
    @Test
    void permissionsEndWithTheMembership() {
        String meeting = "inproc://" + UUID.randomUUID();
        String policy = "*: gradwire::join; trainer: " + SQUARE;
        try (Rpc first = join(meeting, 0, "first", policy)) {
            try (Rpc trainer = join(meeting, 1, "trainer", policy)) {
                assertEquals(4, trainer.rpcSync("first", Numbers::square, 2));
            }
            try (Rpc eve = join(meeting, 1, "eve", policy)) {
                RpcException denied =
                        assertThrows(
                                RpcException.class, () -> eve.rpcSync("first", Numbers::square, 2));
                assertEquals(RpcErrorKind.PERMISSION_DENIED, denied.kind());
            }
            try (Rpc trainer = join(meeting, 1, "trainer", policy)) {
                assertEquals(4, trainer.rpcSync("first", Numbers::square, 2));
            }
            assertEquals("1", first.debugInfo().get("num_permission_denials"));
        }
    }

    @Test
    void aMalformedPolicyIsRefusedBeforeTheWorkerMeetsItsGroup() {
        RpcConfigurationException wrong =
                assertThrows(
                        RpcConfigurationException.class,
                        () ->
                                Rpc.init(
                                        RpcOptions.builder()
                                                .rank(0)
                                                .worldSize(2) // the other one never comes
                                                .backend("inproc")
                                                .rendezvous("inproc://" + UUID.randomUUID())
                                                .set("gradwire.allow", "a: b.c; d:e.f")
                                                .build()));
        assertTrue(
                String.valueOf(wrong.getMessage())
                        .startsWith(
                                "gradwire.allow (from the options) is invalid at character 9, 'd:e.f'"),
                wrong.getMessage());
    }

    private static Rpc join(String meeting, int rank, String name, String policy) {
        return InprocGroup.join(meeting, rank, name, Map.of("gradwire.allow", policy));
    }
}
