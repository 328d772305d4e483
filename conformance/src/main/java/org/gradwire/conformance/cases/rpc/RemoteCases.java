package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.conformance.functions.Gate;
import org.gradwire.conformance.functions.ReferenceFunctions;
import org.gradwire.conformance.functions.ScriptFunctions;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.conformance.harness.ThreadWorld;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.spi.BackendProvider;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Assumptions;

import java.time.Duration;
import java.util.ServiceLoader;

/** Cases of remote calls, whose result stays on the callee. */
public abstract class RemoteCases extends NestedSuite {
    private static final Function1<Integer, Integer> HOLD = CallFunctions::holdAtDoor;
    private static final String CREATION_FAILED =
            "RRef creation via rpc\\.remote\\(\\) timed out, and it is possible that the RRef on the owner node does not exist\\.";

    /** For subclasses. */
    protected RemoteCases() {}

    @Case("API-022")
    void remoteReturnsAtOnceAReferenceThatTheCalleeOwns() {
        world(2).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            RRef<Integer> there = rpc.remote("worker1", HOLD, 4);
            assertFalse(there.isOwner());
            assertEquals(rpc.worker("worker1"), there.owner());
            assertEquals("worker1", there.owner().name());
            RRef<Integer> here = rpc.remote(self.name(), HOLD, 5);
            assertTrue(here.isOwner());
            assertEquals(rpc.self(), here.owner());
            // Only now can either have a value.
            rpc.runSync("worker1", Gate::open, "door");
            Gate.of(rpc).letPass("door");
            assertEquals(4, there.toHere());
            assertEquals(5, here.toHere());
            RRef<Integer> nothingGiven = rpc.remote("worker1", Call.to(ScriptFunctions::noArg));
            assertEquals(0, nothingGiven.toHere());
        });
    }

    @Case("API-022")
    void anOperatorIsRecognizedFirstThenAScriptFunction() {
        world(2).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            RRef<Tensor> negated = rpc.remote("worker1", MarkedTwice::negateOrAdd, Tensor.ones(2));
            Expect.tensor(Tensor.full(-1.0, 2), negated.toHere());
            RRef<Tensor> owned = rpc.rref(Tensor.ones(2));
            RRef<Tensor> script = rpc.remote("worker1", MarkedTwice::scriptOrPlain, owned);
            Expect.failure(
                    RpcException.class,
                    "Can't call RRef.localValue\\(\\) on a non-owner RRef",
                    script::toHere);
            RRef<Tensor> plain = rpc.remote("worker1", MarkedTwice::plain, owned);
            Expect.failure(
                    RpcException.class, "can't call localValue\\(\\) on user", plain::toHere);
        });
    }

    @Case("API-022")
    void argumentsThatDoNotFitAreRefusedAtOnce() {
        world(2).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            Tensor t = Tensor.ones(2);
            Expect.failure(
                    IllegalArgumentException.class,
                    "addOne\\(\\) expected at most 1 argument\\(s\\) but received 2 argument\\(s\\)",
                    () -> rpc.remote("worker1", Call.to(ScriptFunctions::addOne).args(t, t)));
            Expect.failure(
                    TypeMismatchException.class,
                    "Expected a value of type 'Tensor' for argument 'value'",
                    () -> rpc.remote("worker1", Call.to(ScriptFunctions::addOne).args("text")));
            assertEquals("0", rpc.debugInfo().get("num_pending_users"));
        });
    }

    @Case("API-023")
    void aCreationThatTimesOutMarksTheReference() {
        world(2).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            RRef<Integer> rref = rpc.withTimeout(Duration.ofMillis(100)).remote("worker1", HOLD, 1);
            Expect.eventually("the creation has timed out", () -> saysCreationFailed(rref));
            Expect.failure(RpcException.class, CREATION_FAILED, rref::toHere);
            Expect.failure(
                    RpcException.class,
                    CREATION_FAILED,
                    () -> rpc.runSync("worker1", ReferenceFunctions::take, rref));
            rpc.runSync("worker1", Gate::open, "door");
        });
    }

    /** While the failure is being processed, a fetch waits for the value. */
    private static boolean saysCreationFailed(RRef<Integer> rref) {
        try {
            throw new AssertionError("expected no value, but toHere returned " + rref.toHere(SOON));
        } catch (RpcException e) {
            return e.getMessage().startsWith("RRef creation via rpc.remote() timed out");
        }
    }

    private static final Duration SOON = Duration.ofMillis(20);

    @Case("API-023")
    void aCreationWithoutTimeoutTakesAsLongAsItNeeds() {
        world(2).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            rpc.rpcTimeout(Duration.ofMillis(100));
            RRef<Integer> rref = rpc.withoutTimeout().remote("worker1", HOLD, 6);
            RpcFuture<Integer> later = rpc.rpcAsync("worker1", HOLD, 1);
            Expect.failure(RpcTimeoutException.class, "RPC ran for more than", later::join);
            rpc.rpcTimeout(Duration.ofSeconds(60)); // affects later calls only
            rpc.runSync("worker1", Gate::open, "door");
            assertEquals(6, rref.toHere());
        });
    }

    @Case("API-023")
    void theFailureOfTheFunctionIsNoFailureOfTheCreation() {
        world(2).runOnRank0(self -> {
            RRef<Integer> rref = self.rpc().remote("worker1", CallFunctions::fail, "no luck");
            Expect.eventually("the creation has succeeded", rref::confirmedByOwner);
            Expect.failure(RpcException.class, "no luck", rref::toHere);
            RRef<Integer> own = self.rpc().remote(self.name(), CallFunctions::fail, "bad luck");
            Expect.failure(IllegalStateException.class, "bad luck", own::toHere);
        });
    }

    @Case("API-023")
    void aCreationThatCannotBeSentMarksTheReference() {
        failing("SCRIPT_REMOTE_CALL")
                .run(self -> {
                    if (self.id() == 0) {
                        creationFails(self, "worker1");
                        creationFails(self, self.name());
                    }
                });
    }

    private static void creationFails(Rank self, String owner) {
        RRef<Tensor> rref = self.rpc().remote(owner, Ops::add, Tensor.ones(2), 1);
        Expect.failure(RpcException.class, CREATION_FAILED, rref::toHere);
    }

    /** Make the backend fail to send messages of a type, by wrapping it. */
    private ThreadWorld failing(String type) {
        Assumptions.assumeTrue(
                ServiceLoader.load(BackendProvider.class).stream()
                        .anyMatch(provider -> provider.get().name().equals("faulty")),
                "backend 'faulty', which makes sends fail, is not on the module path");
        String inner =
                backend()
                        .settings()
                        .getOrDefault("gradwire.faulty.backend", backend().providerName());
        return world(2).with("gradwire.backend", "faulty")
                .with("gradwire.faulty.backend", inner)
                .with("gradwire.faulty.messages-to-delay", "")
                .with("gradwire.faulty.messages-to-fail", type);
    }
}
