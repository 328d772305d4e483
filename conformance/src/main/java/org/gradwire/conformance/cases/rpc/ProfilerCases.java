package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.conformance.functions.ScriptFunctions;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.profiler.Profile;
import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.ProfilerEvent;
import org.gradwire.profiler.Scope;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Cases of profiler events for calls, script code and callees. */
public abstract class ProfilerCases extends NestedSuite {
    private static final String SCRIPTS = ScriptFunctions.class.getName() + ".";
    private static final String PROFILED = ProfiledFunctions.class.getName() + ".";
    private static final String REMOTE = "#remote_op: ";

    /** For subclasses. */
    protected ProfilerCases() {}

    @Case("JR-043")
    void aScopeEndsWithTheCallThatScriptCodeMakes() {
        world(4).runOnRank0(self -> {
            String key = "rpc_async#" + SCRIPTS + "one_arg(worker0 -> worker1)";
            try (Profiler profiler = Profiler.start(self.rpc())) {
                try (Scope scope = Profiler.scope(key)) {
                    Expect.tensor(
                            Tensor.scalar(2),
                            self.rpc()
                                    .script()
                                    .call(
                                            Call.to(ProfiledFunctions::callWithin)
                                                    .args(scope, self.next())));
                }
                ProfilerEvent event = containing(profiler.profile(), key).getFirst();
                assertTrue(event.name().contains(SCRIPTS + "one_arg"), event.name());
            }
        });
    }

    @Case("JR-044")
    void aCallFromScriptCodeBringsTheEventsOfItsCallee() {
        world(4).runOnRank0(self -> {
            try (Profiler profiler = Profiler.start(self.rpc())) {
                Tensor one = Tensor.of(1L, 1L);
                self.rpc()
                        .script()
                        .call(
                                Call.to(ScriptCallers::async)
                                        .args(self.next(), List.of(one, one), Map.of()));
                Profile profile = profiler.profile();
                String key = "rpc_async_jit#" + SCRIPTS + "twoTwo(worker0 -> worker1)";
                List<ProfilerEvent> calls =
                        containing(profile, SCRIPTS + "twoTwo").stream()
                                .filter(event -> event.nodeId() == 0)
                                .toList();
                assertEquals(List.of(key), calls.stream().map(ProfilerEvent::name).toList());
                assertEquals(Set.of(1), remoteNodes(profile));
                assertEquals(3, profile.named(key + REMOTE + "aten::add").size());
                assertEquals(1, profile.named(key + REMOTE + "twoTwo").size());
            }
        });
    }

    private static Set<Integer> remoteNodes(Profile profile) {
        return profile.events().stream()
                .filter(ProfilerEvent::remote)
                .map(ProfilerEvent::nodeId)
                .collect(Collectors.toSet());
    }

    @Case("JR-045")
    void aScopeOfScriptCodeHoldsTheCallsItWaitsFor() {
        world(4).runOnRank0(self -> {
            try (Profiler profiler = Profiler.start(self.rpc())) {
                Tensor sum =
                        self.rpc()
                                .script()
                                .call(
                                        Call.to(ProfiledFunctions::callTwiceWithin)
                                                .args(self.next(), "foo"));
                Expect.tensor(Tensor.full(4.0, 1), sum);
                Profile profile = profiler.profile();
                String key = "rpc_async_jit#" + PROFILED + "scriptAddOnes(worker0 -> worker1)";
                assertEquals(1, profile.named("foo").size());
                assertEquals(2, profile.named(key).size());
                Duration scope = profile.named("foo").getFirst().duration();
                for (ProfilerEvent call : profile.named(key)) {
                    assertTrue(scope.compareTo(call.duration()) > 0, () -> profile.table());
                }
            }
        });
    }

    @Case("JR-046")
    void aScopeOnTheCalleeHasItsOperatorsWithin() {
        world(4).runOnRank0(self -> {
            try (Profiler profiler = Profiler.start(self.rpc())) {
                self.rpc()
                        .script()
                        .call(
                                Call.to(ProfiledFunctions::callScopedFunction)
                                        .args(self.next(), "foo"));
                Profile profile = profiler.profile();
                String key = "rpc_async_jit#" + PROFILED + "addOnesWithin(worker0 -> worker1)";
                List<ProfilerEvent> scopes = profile.named(key + REMOTE + "foo");
                assertEquals(1, scopes.size(), profile::table);
                assertEquals(
                        List.of(key + REMOTE + "aten::add"),
                        profile.children(scopes.getFirst()).stream()
                                .map(ProfilerEvent::name)
                                .toList());
            }
        });
    }

    @Case("JR-047")
    void aScopeLastsAsLongAsTheTaskThatEndsIt() {
        world(1).run(self -> {
            try (Profiler profiler = Profiler.start(self.rpc())) {
                RpcFuture<Integer> task;
                try (Scope scope = Profiler.scope("foo")) {
                    task =
                            scope.endWhenDone(
                                    self.rpc()
                                            .script()
                                            .fork(Call.to(ProfiledFunctions::sleep).args(1000L)));
                }
                assertEquals(List.of(), profiler.profile().named("foo"));
                task.join();
                Duration scope = profiler.profile().named("foo").getFirst().duration();
                assertTrue(scope.compareTo(Duration.ofMillis(990)) >= 0, scope::toString);
            }
        });
    }

    @Case("JR-048")
    void aScopeEndsWithATaskThatScriptCodeForks() {
        world(1).run(self -> {
            try (Profiler profiler = Profiler.start(self.rpc())) {
                try (Scope scope = Profiler.scope("foo")) {
                    Expect.tensor(
                            Tensor.full(2.0, 1),
                            self.rpc()
                                    .script()
                                    .call(Call.to(ProfiledFunctions::forkWithin).args(scope)));
                }
                assertEquals(1, profiler.profile().named("foo").size());
            }
        });
    }

    @Case("API-027")
    void onlyCallsOfAProfiledThreadAreProfiled() {
        world(4).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            assertFalse(rpc.rpcSync(self.next(), ProfiledFunctions::isProfiled));
            try (Profiler profiler = Profiler.start(rpc)) {
                assertTrue(rpc.rpcSync(self.next(), ProfiledFunctions::isProfiled));
                assertFalse(
                        CompletableFuture.supplyAsync(
                                        () ->
                                                rpc.rpcSync(
                                                        self.next(), ProfiledFunctions::isProfiled),
                                        task -> Thread.ofPlatform().start(task))
                                .join());
                assertEquals(1, profiler.profile().events().size());
            }
            assertFalse(rpc.rpcSync(self.next(), ProfiledFunctions::isProfiled));
        });
    }

    @Case("API-028")
    void theNameOfACallSaysHowWhatAndWhere() {
        world(4).runOnRank0(self -> {
            try (Profiler profiler = Profiler.start(self.rpc())) {
                callInAllModes(self.rpc(), self.next());
                expectEachCall(profiler.profile());
                expectOperatorOfEachCall(profiler.profile());
            }
            aNameIsInUseWhileArgumentsAreWritten(self.rpc(), self.next());
        });
    }

    private static void expectEachCall(Profile profile) {
        Map<String, Long> calls =
                profile.events().stream()
                        .filter(event -> event.name().startsWith("rpc_") && event.nodeId() == 0)
                        .collect(Collectors.groupingBy(ProfilerEvent::name, Collectors.counting()));
        String ones = PROFILED + "scriptAddOnes";
        assertEquals(
                Map.of(
                        call("sync", "aten::add"), 1L,
                        call("async", "aten::add"), 1L,
                        call("remote", "aten::add"), 1L,
                        call("async", ones), 1L,
                        call("async_jit", ones), 2L,
                        call("sync", PROFILED + "isProfiled"), 1L),
                calls);
        assertEquals(2, profile.named("to_here#(worker0)->(worker1)").size());
    }

    private static void expectOperatorOfEachCall(Profile profile) {
        for (String mode : List.of("sync", "async", "remote")) {
            List<ProfilerEvent> ran = profile.named(call(mode, "aten::add") + REMOTE + "aten::add");
            assertEquals(List.of(1), ran.stream().map(ProfilerEvent::nodeId).toList());
        }
    }

    private static String call(String mode, String function) {
        return "rpc_%s#%s(worker0 -> worker1)".formatted(mode, function);
    }

    private static void callInAllModes(Rpc rpc, String to) {
        Tensor one = Tensor.ones(1);
        rpc.rpcSync(to, Ops::add, one, one);
        rpc.rpcAsync(to, Ops::add, one, one).join();
        try (RRef<Tensor> remote = rpc.remote(to, Ops::add, one, one)) {
            remote.toHere();
        }
        rpc.rpcAsync(to, ProfiledFunctions::scriptAddOnes, one).join();
        rpc.rpcSync(to, ProfiledFunctions::isProfiled);
        rpc.script().call(Call.to(ProfiledFunctions::callInAllModes).args(to));
    }

    private static void aNameIsInUseWhileArgumentsAreWritten(Rpc rpc, String to) {
        var calling =
                new AbstractList<Tensor>() {
                    @Override
                    public Tensor get(int index) {
                        return rpc.rpcSync(to, Ops::add, Tensor.ones(1), Tensor.ones(1));
                    }

                    @Override
                    public int size() {
                        return 1;
                    }
                };
        rpc.rpcSync(to, CallFunctions::echo, calling);
        try (Profiler _ = Profiler.start(rpc)) {
            Expect.failure(
                    RpcException.class,
                    "was called while the arguments of .* were being encoded",
                    () -> rpc.rpcSync(to, CallFunctions::echo, calling));
            rpc.rpcSync(to, CallFunctions::echo, "the name can be used again");
        }
    }

    private static List<ProfilerEvent> containing(Profile profile, String text) {
        return profile.events().stream().filter(event -> event.name().contains(text)).toList();
    }
}
