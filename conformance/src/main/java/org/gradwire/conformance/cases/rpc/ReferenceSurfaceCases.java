package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.conformance.functions.Gate;
import org.gradwire.conformance.functions.ReferenceFunctions;
import org.gradwire.conformance.functions.ScriptFunctions;
import org.gradwire.conformance.functions.ValueClass;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteException;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;

/** Cases of references: text, equality, types and backward passes. */
public abstract class ReferenceSurfaceCases extends NestedSuite {
    private static final String ID = "GloballyUniqueId\\(created_on=%d, local_id=%s\\)";

    /** For subclasses. */
    protected ReferenceSurfaceCases() {}

    private static String id(int creator) {
        return ID.formatted(creator, "\\d+");
    }

    private static void assertMatches(String pattern, String text) {
        assertTrue(Pattern.matches(pattern, text), () -> text + " does not match " + pattern);
    }

    @Case("API-019")
    void ownerAndUserSayWhatTheyAre() {
        world(2).run(self -> {
            Rpc rpc = self.rpc();
            RRef<Integer> owner = rpc.rref(7);
            assertTrue(owner.isOwner());
            assertTrue(owner.confirmedByOwner());
            assertNull(owner.confirmation().join());
            assertEquals(rpc.self(), owner.owner());
            assertEquals(self.name(), owner.owner().name());
            assertEquals(7, owner.toHere());
            assertEquals(7, owner.toHere(Duration.ofSeconds(1)));
            assertEquals(7, owner.localValue());
            assertMatches("OwnerRRef\\(" + id(self.id()) + "\\)", owner.toString());

            RRef<Integer> user = rpc.remote(self.next(), ReferenceFunctions::returnValue, 8);
            assertNull(user.confirmation().join());
            assertTrue(user.confirmedByOwner());
            assertFalse(user.isOwner());
            assertEquals(self.next(), user.owner().name());
            assertEquals(8, user.toHere());
            assertMatches(
                    "UserRRef\\(RRefId = %s, ForkId = %s\\)"
                            .formatted(id(self.id()), id(self.id())),
                    user.toString());
            Expect.failure(
                    RpcException.class,
                    "^For UserRRef\\(rref_id=%s, fork_id=%s\\), can't call localValue\\(\\) on user %s\\. Call it on owner %s"
                            .formatted(
                                    id(self.id()),
                                    id(self.id()),
                                    Pattern.quote(rpc.self().toString()),
                                    Pattern.quote(user.owner().toString())),
                    user::localValue);
        });
    }

    @Case("API-019")
    void theFirstReferenceOfAWorkerHasIdZeroAndForkOne() {
        world(2).run(self -> {
            RRef<Integer> first =
                    self.rpc().remote(self.next(), ReferenceFunctions::returnValue, 1);
            assertMatches(
                    "UserRRef\\(RRefId = %s, ForkId = %s\\)"
                            .formatted(ID.formatted(self.id(), 0), ID.formatted(self.id(), 1)),
                    first.toString());
        });
    }

    @Case("API-019")
    void handlesOfOneValueAreEqualOnItsOwner() {
        world(2).run(self -> {
            Rpc rpc = self.rpc();
            RRef<Integer> owner = rpc.rref(7);
            Object back = rpc.rpcSync(self.next(), CallFunctions::echo, owner);
            assertEquals(owner, back);
            assertEquals(owner.hashCode(), back.hashCode());
            assertNotEquals(owner, rpc.rref(7));
        });
    }

    @Case("API-019")
    void methodsOfTheValueAreCalledInThreeForms() {
        world(2).run(self -> {
            RRef<ValueClass> rref = made(self);
            assertEquals(self.id(), rref.rpcSync(ValueClass::getValue));
            assertEquals(self.id(), rref.rpcAsync(ValueClass::getValue).join());
            assertEquals(self.id(), rref.remote(ValueClass::getValue).toHere());
        });
    }

    private static RRef<ValueClass> made(Rank self) {
        return self.rpc().rpcSync(self.next(), ReferenceFunctions::ownerCreate, self.id());
    }

    @Case("API-019")
    void theBackwardPassOfAReferenceRunsOnItsOwner() {
        world(2).run(self -> {
            Rpc rpc = self.rpc();
            Tensor a = Tensor.full(3f, 2, 2).requiresGrad(true);
            Tensor b = Tensor.full(5f, 2, 2).requiresGrad(true);
            try (AutogradContext context = DistAutograd.context(rpc)) {
                RRef<Tensor> product = rpc.remote(self.next(), Ops::mul, a, b);
                RRef<Tensor> loss = product.remote(Ops::sum);
                context.backward(BackwardOptions.fast().retainGraph(), loss);
                context.backward(BackwardOptions.fast(), loss);
                Expect.tensor(Tensor.full(10f, 2, 2), gradient(context, a));
                Expect.tensor(Tensor.full(6f, 2, 2), gradient(context, b));
                assertNull(a.grad());
            }
        });
    }

    private static Tensor gradient(AutogradContext context, Tensor leaf) {
        return Objects.requireNonNull(context.gradients().get(leaf));
    }

    @Case("API-019")
    @SuppressWarnings("unchecked") // a program with an unchecked cast
    void theBackwardPassNeedsATensor() {
        world(2).run(self -> {
            try (AutogradContext context = DistAutograd.context(self.rpc())) {
                RRef<?> number = self.rpc().remote(self.next(), ReferenceFunctions::returnValue, 1);
                Expect.failure(
                        IllegalArgumentException.class,
                        "RRef should contain a tensor for \\.backward\\(\\)",
                        () -> context.backward(BackwardOptions.fast(), (RRef<Tensor>) number));
            }
        });
    }

    @Case("API-021")
    void theTypeOfAValueIsAskedForOnce() {
        world(2).run(self -> {
            Rpc rpc = self.rpc();
            assertEquals("java.lang.String", rpc.rref("text").typeName());
            RRef<ValueClass> user = made(self);
            assertEquals(ValueClass.class.getName(), user.typeName());
            assertEquals(
                    ValueClass.class.getName(), user.typeNameAsync().join(Duration.ofSeconds(5)));
            RpcFuture<String> known = user.typeNameAsync();
            assertTrue(known.isDone());
            assertSame(known, user.typeNameAsync());
        });
    }

    @Case("API-021")
    void theTypeOfAValueThatIsBeingMadeIsWaitedFor() {
        world(2).runOnRank0(self -> {
            RRef<Integer> held = self.rpc().remote(self.next(), CallFunctions::holdAtDoor, 5);
            RpcFuture<String> type = held.typeNameAsync();
            assertSame(type, held.typeNameAsync());
            Expect.failure(
                    RpcTimeoutException.class,
                    "",
                    () -> held.typeNameAsync().join(Duration.ofMillis(50)));
            self.rpc().runSync(self.next(), Gate::open, "door");
            assertEquals("java.lang.Integer", type.join());
        });
    }

    @Case("API-021")
    void whereTheValueCouldNotBeMadeItsTypeIsTheFailure() {
        world(2).run(self -> {
            RRef<Integer> failed = self.rpc().remote(self.next(), CallFunctions::fail, "as a test");
            Expect.failure(RemoteException.class, "as a test", failed::typeName);
            Expect.failure(RemoteException.class, "as a test", failed::typeName);
            Expect.failure(RemoteException.class, "as a test", failed::toHere);
        });
    }

    @Case("JR-034")
    void aReferenceIsWrittenToMessagesOnly() {
        world(4).runOnRank0(self -> {
            RRef<Tensor> rref =
                    self.rpc().remote(self.next(), ScriptFunctions::addOne, Tensor.ones(2));
            Call<Boolean> saving = Call.to(ScriptFunctions::save).args(rref);
            Throwable cause =
                    assertThrows(RuntimeException.class, () -> self.rpc().script().call(saving));
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            assertTrue(
                    String.valueOf(cause.getMessage())
                            .contains("RRef serialization is only allowed inside RPC calls"),
                    cause.toString());
            IOException plain =
                    assertThrows(
                            NotSerializableException.class,
                            () ->
                                    new ObjectOutputStream(OutputStream.nullOutputStream())
                                            .writeObject(rref));
            String text = String.valueOf(plain.getMessage());
            assertTrue(
                    text.startsWith("RRef serialization is only allowed inside RPC calls"), text);
        });
    }

    @Case("JR-025")
    void aScriptDoesNotKnowPlainFunctions() {
        world(4).runOnRank0(self ->
                Expect.failure(
                        IllegalArgumentException.class,
                        "a script may call only script functions and operators",
                        () ->
                                self.rpc()
                                        .script()
                                        .call(
                                                Call.to(ScriptFunctions::callPlain)
                                                        .args(self.next()))));
    }
}
