package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.profiler.Profile;
import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.ProfilerEvent;
import org.gradwire.profiler.ProfilerOptions;
import org.gradwire.profiler.Scope;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteException;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.runtime.tests.functions.Profiled;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Profiles of several workers. */
@Timeout(60)
class ProfilerTest {
    private static final String PROFILED = "org.gradwire.runtime.tests.functions.Profiled.";
    private static final String REMOTE = "#remote_op: ";
    private static final Tensor ONES = Tensor.ones(2, 3);

    private static Set<String> names(Profile profile) {
        var names = new TreeSet<String>();
        profile.events().forEach(event -> names.add(event.name() + " @" + event.nodeId()));
        return names;
    }

    private static String call(String mode, String function, int from, int to) {
        return "rpc_%s#%s(worker%d -> worker%d)".formatted(mode, function, from, to);
    }

    @Test
    void namesOfNestedCallsStack() throws Exception {
        InprocGroup.runFirst(
                3,
                rpc -> {
                    try (Profiler profiler = Profiler.start(rpc)) {
                        rpc.rpcSync("worker1", Profiled::addAround, ONES, 1);
                        String first = call("sync", PROFILED + "addAround", 0, 1);
                        String second = first + REMOTE + call("sync", PROFILED + "addAround", 1, 2);
                        assertEquals(
                                Set.of(
                                        first + " @0",
                                        second + " @1",
                                        second + REMOTE + "aten::add @2"),
                                names(profiler.profile()));
                        Profile profile = profiler.profile();
                        ProfilerEvent deepest =
                                profile.named(second + REMOTE + "aten::add").getFirst();
                        assertEquals(second, profile.parent(deepest).orElseThrow().name());
                    }
                });
    }

    @Test
    void asynchronousWorkOfACalleeBelongsToTheCall() throws Exception {
        InprocGroup.runFirst(
                3,
                rpc -> {
                    try (Profiler profiler = Profiler.start(rpc)) {
                        rpc.rpcAsync("worker1", RpcFunction.async(Profiled::addThenMultiply), ONES)
                                .join();
                        String outer = call("async", PROFILED + "addThenMultiply", 0, 1);
                        String inner = outer + REMOTE + call("async", "aten::add", 1, 2);
                        assertEquals(
                                Set.of(
                                        outer + " @0",
                                        inner + " @1",
                                        inner + REMOTE + "aten::add @2",
                                        outer + REMOTE + "later @1",
                                        outer + REMOTE + "aten::mul @1"),
                                names(profiler.profile()));
                    }
                });
    }

    @Test
    void callbacksOfAProfiledThreadAreProfiled() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    RpcPromise<Tensor> promise = rpc.promise();
                    try (Profiler profiler = Profiler.start(rpc)) {
                        RpcFuture<Tensor> later = promise.then(done -> done.value().add(1));
                        Thread.ofPlatform().start(() -> promise.complete(ONES));
                        later.join();
                        assertEquals(Set.of("aten::add @0"), names(profiler.profile()));
                    }
                });
    }

    @Test
    void failedCallReturnsNoEvents() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (Profiler profiler = Profiler.start(rpc)) {
                        assertThrows(
                                RemoteException.class,
                                () -> rpc.rpcSync("worker1", Profiled::addAndFail, ONES));
                        try (RRef<Tensor> failed =
                                rpc.remote("worker1", Profiled::addAndFail, ONES)) {
                            assertThrows(RemoteException.class, failed::toHere);
                            failed.confirmation().join(); // its event ends with the creation
                        }
                        assertEquals(
                                Set.of(
                                        call("sync", PROFILED + "addAndFail", 0, 1) + " @0",
                                        call("remote", PROFILED + "addAndFail", 0, 1) + " @0",
                                        "to_here#(worker0)->(worker1) @0"),
                                names(profiler.profile()));
                    }
                });
    }

    @Test
    void fetchOfAReferenceReturnsItsEvents() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    for (int i = 0; i < 200; i++) {
                        try (Profiler profiler = Profiler.start(rpc);
                                RRef<Tensor> sum = rpc.remote("worker1", Profiled::addOne, ONES)) {
                            sum.toHere();
                            String key = call("remote", PROFILED + "addOne", 0, 1);
                            assertEquals(
                                    Set.of(
                                            key + " @0",
                                            key + REMOTE + "addOne @1",
                                            key + REMOTE + "aten::add @1",
                                            "to_here#(worker0)->(worker1) @0"),
                                    names(profiler.profile()));
                        }
                    }
                });
    }

    @Test
    void optionsApplyOnTheCallee() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    ProfilerOptions all = ProfilerOptions.DEFAULT.withShapes().withMemory();
                    try (Profiler profiler = Profiler.start(rpc, all)) {
                        ONES.add(ONES);
                        rpc.rpcSync("worker1", Ops::add, ONES, ONES);
                        List<ProfilerEvent> sums =
                                profiler.profile().events().stream()
                                        .filter(event -> event.name().endsWith("aten::add"))
                                        .toList();
                        assertEquals(2, sums.size());
                        for (ProfilerEvent sum : sums) {
                            assertEquals(List.of(List.of(2, 3), List.of(2, 3)), sum.shapes());
                            assertEquals(2 * 3 * 4, sum.allocatedBytes());
                        }
                    }
                    try (Profiler profiler = Profiler.start(rpc)) {
                        rpc.rpcSync("worker1", Ops::add, ONES, ONES);
                        assertTrue(
                                profiler.profile().events().stream()
                                        .allMatch(event ->
                                                event.shapes().isEmpty()
                                                        && event.allocatedBytes() == 0));
                    }
                });
    }

    @Test
    void compositeOperatorContainsItsPartsAndCountsItsOwnMemory() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    try (Profiler profiler =
                            Profiler.start(rpc, ProfilerOptions.DEFAULT.withMemory())) {
                        Ops.crossEntropy(Tensor.ones(2, 3), Tensor.of(0L, 2L));
                        Profile profile = profiler.profile();
                        ProfilerEvent whole = profile.events().getFirst();
                        assertEquals("aten::cross_entropy_loss", whole.name());
                        assertEquals(
                                List.of("aten::log_softmax", "aten::nll_loss_nd"),
                                profile.children(whole).stream().map(ProfilerEvent::name).toList());
                        assertEquals(0, whole.allocatedBytes());
                    }
                });
    }

    /** A thread that waits for a reply runs short requests of peers. */
    @Test
    void requestsServedByAWaitingThreadAreNotInItsProfile() throws Exception {
        InprocGroup.run(
                3,
                rpc -> {
                    rpc.barrier();
                    if (rpc.self().id() == 0) {
                        try (Profiler profiler = Profiler.start(rpc)) {
                            addManyTimes(rpc, "worker1");
                            assertEquals(List.of(), profiler.profile().named("aten::add"));
                            assertEquals(4_000, profiler.profile().events().size());
                        }
                    } else {
                        addManyTimes(rpc, "worker0");
                    }
                });
    }

    private static void addManyTimes(Rpc rpc, String to) {
        for (int i = 0; i < 2_000; i++) {
            rpc.rpcSync(to, Ops::add, ONES, ONES);
        }
    }

    @Test
    void workerProfilesAllServedCalls() throws Exception {
        InprocGroup.run(
                2,
                rpc -> {
                    if (rpc.self().id() == 0) {
                        callInPhases(rpc);
                    } else {
                        profileWhatIsServed(rpc);
                    }
                });
    }

    private static void callInPhases(Rpc rpc) {
        phase(
                rpc,
                () -> {
                    rpc.rpcSync("worker1", Profiled::addOne, ONES);
                    assertThrows(
                            RemoteException.class,
                            () -> rpc.rpcSync("worker1", Profiled::addAndFail, ONES));
                });
        phase(
                rpc,
                () -> {
                    rpc.rpcSync("worker1", Ops::mul, ONES, ONES);
                    try (Profiler own = Profiler.start(rpc)) {
                        rpc.rpcSync("worker1", Ops::mul, ONES, ONES);
                        assertEquals(2, own.profile().events().size());
                    }
                });
        phase(rpc, () -> assertTrue(rpc.rpcSync("worker1", Profiled::isOn)));
        phase(rpc, () -> assertFalse(rpc.rpcSync("worker1", Profiled::isOn)));
    }

    private static void profileWhatIsServed(Rpc rpc) {
        try (Profiler outer = Profiler.startServed(rpc)) {
            phase(rpc, () -> {});
            Profiler inner = Profiler.startServed(rpc);
            phase(rpc, () -> {});
            inner.close();
            phase(rpc, () -> {});
            assertEquals(2, inner.profile().named("aten::mul").size());
            assertEquals(2, inner.profile().events().size());
            assertEquals(1, outer.profile().named("addOne").size());
            assertEquals(2, outer.profile().named("aten::add").size());
            assertEquals(2, outer.profile().named("aten::mul").size());
        }
        phase(rpc, () -> {});
    }

    /** Make calls between two barriers, so that a test can change the setup between phases. */
    private static void phase(Rpc rpc, Runnable calls) {
        rpc.barrier();
        calls.run();
        rpc.barrier();
    }

    @Test
    void scopeMayEndWithAFutureOnce() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    RpcPromise<Integer> promise = rpc.promise();
                    try (Profiler profiler = Profiler.start(rpc)) {
                        RpcFuture<Integer> ended;
                        try (Scope scope = Profiler.scope("foo")) {
                            ended = scope.endWhenDone(promise);
                            RpcException failure =
                                    assertThrows(
                                            RpcException.class, () -> scope.endWhenDone(promise));
                            assertTrue(failure.getMessage().contains("can only be called once:"));
                        }
                        var reason = new IllegalStateException("no value");
                        promise.fail(reason);
                        assertEquals(
                                reason, assertThrows(IllegalStateException.class, ended::join));
                        assertEquals(Set.of("foo @0"), names(profiler.profile()));
                    }
                });
    }

    @Test
    void forkedTaskIsProfiled() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    try (Profiler profiler = Profiler.start(rpc)) {
                        rpc.script().fork(Call.to(Profiled::addOne).args(ONES)).join();
                        assertEquals(
                                Set.of("addOne @0", "aten::add @0"), names(profiler.profile()));
                    }
                });
    }

    /**
     * The faulty backend selects by the outermost message, which is a plain call only without a
     * profiler.
     */
    @Test
    void onlyProfiledCallsAreWrapped() throws Exception {
        Map<String, String> settings =
                Map.of(
                        "gradwire.backend", "faulty",
                        "gradwire.faulty.backend", "inproc",
                        "gradwire.faulty.messages-to-delay", "",
                        "gradwire.faulty.messages-to-fail", "SCRIPT_CALL",
                        "gradwire.faulty.num-fail-sends", "1000");
        InprocGroup.run(
                2,
                settings,
                rpc -> {
                    if (rpc.self().id() == 0) {
                        try (Profiler _ = Profiler.start(rpc)) {
                            rpc.rpcSync("worker1", Ops::add, ONES, ONES);
                        }
                        RpcException failure =
                                assertThrows(
                                        RpcException.class,
                                        () -> rpc.rpcSync("worker1", Ops::add, ONES, ONES));
                        assertTrue(failure.getMessage().contains("intentionally"));
                    }
                });
    }
}
