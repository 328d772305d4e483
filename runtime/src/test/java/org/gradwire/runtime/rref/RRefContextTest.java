package org.gradwire.runtime.rref;

import static org.gradwire.runtime.rref.SimulatedGroup.TYPE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.ModuleInterface;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.rref.RRefContext.Creation;
import org.gradwire.runtime.rref.SimulatedGroup.Held;
import org.gradwire.runtime.rref.SimulatedGroup.SimulatedWorker;
import org.gradwire.runtime.wire.WireOutput;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

/** The texts and the behaviour of references at each stage of their lives. */
class RRefContextTest {
    private static final String CREATION_FAILED =
            "RRef creation via rpc.remote() timed out, and it is possible that the RRef on the owner node does not exist.";

    private final SimulatedGroup group = new SimulatedGroup(3);
    private final SimulatedWorker owner = group.worker(0);
    private final SimulatedWorker user = group.worker(1);
    private final SimulatedWorker other = group.worker(2);

    private static String text(RpcException failure) {
        return failure.getMessage();
    }

    private Creation<String> create() {
        return user.context.create(owner.info, TYPE);
    }

    private CallFuture<@Nullable Object> arrive(Creation<?> creation) {
        return owner.context.createOwned(
                user.info.id(), creation.rrefId(), creation.forkId(), TYPE);
    }

    private void make(Creation<?> creation, Object value) {
        arrive(creation).complete(value);
        user.context.creationEnded(creation, null);
    }

    private static Held held(SimulatedWorker holder, Creation<?> creation, int owner) {
        return new Held(holder, creation.rref(), creation.rrefId(), owner);
    }

    private RRef<?> send(SimulatedWorker from, RRef<?> rref, SimulatedWorker to) {
        var received = new ArrayList<Held>();
        from.send(
                new Held(from, rref, new GloballyUniqueId(0, 0, SimulatedGroup.SECRET), 0),
                to,
                false,
                held -> received.add(Objects.requireNonNull(held)));
        group.events.removeLast().run();
        return received.getFirst().rref();
    }

    private static void figures(
            SimulatedWorker worker, int owners, int unmade, int pendingUsers, int forks) {
        Map<String, String> counts = new HashMap<>(worker.context.debugInfo());
        counts.remove("open_references"); // a text, which other tests check
        assertEquals(
                Map.of(
                        "num_owner_rrefs", Integer.toString(owners),
                        "num_pending_futures", Integer.toString(unmade),
                        "num_pending_users", Integer.toString(pendingUsers),
                        "num_forks", Integer.toString(forks)),
                counts);
    }

    // ---- texts

    @Test
    void referencesPrintTheirIds() {
        Creation<String> creation = create();
        assertEquals(
                "UserRRef(RRefId = GloballyUniqueId(created_on=1, local_id=0), ForkId = GloballyUniqueId(created_on=1, local_id=1))",
                creation.rref().toString());
        assertEquals(
                "OwnerRRef(GloballyUniqueId(created_on=0, local_id=0))",
                owner.context.local("value").toString());
    }

    @Test
    void onlyTheOwnerHasALocalValue() {
        RRef<String> rref = create().rref();
        assertFalse(rref.isOwner());
        assertEquals(owner.info, rref.owner());
        assertEquals("w0", rref.owner().name());
        assertEquals(
                "For UserRRef(rref_id=GloballyUniqueId(created_on=1, local_id=0), fork_id=GloballyUniqueId(created_on=1, local_id=1)), can't call localValue() on user WorkerInfo(id=1, name=w1). Call it on owner WorkerInfo(id=0, name=w0)",
                text(assertThrows(RpcException.class, rref::localValue)));
        user.inScript = true;
        assertEquals(
                "Can't call RRef.localValue() on a non-owner RRef.",
                text(assertThrows(RpcException.class, rref::localValue)));
    }

    @Test
    void theOwnersHandleGivesTheObjectItself() {
        var value = new ArrayList<>(List.of(1, 2, 3));
        RRef<ArrayList<Integer>> rref = owner.context.local(value);
        assertTrue(rref.isOwner());
        assertTrue(rref.confirmedByOwner());
        assertSame(value, rref.localValue());
        assertSame(value, rref.toHere());
        assertSame(value, rref.toHere(Duration.ofNanos(1)));
        assertNotEquals(rref, owner.context.local(value));
        figures(owner, 0, 0, 0, 0);
    }

    @Test
    void aClosedReferenceIsOfNoUse() {
        Creation<String> creation = create();
        make(creation, "value");
        RRef<String> rref = creation.rref();
        rref.close();
        rref.close();
        assertEquals(
                rref + " has been deleted. Cannot call toHere() on it after deletion.",
                text(assertThrows(RpcException.class, rref::toHere)));
        assertEquals(
                rref + " has been deleted. It cannot be sent or called after deletion.",
                text(assertThrows(RpcException.class, () -> send(user, rref, other))));
        RRef<String> mine = owner.context.local("value");
        mine.close();
        assertEquals(
                mine + " has been deleted. Cannot call localValue() on it after deletion.",
                text(assertThrows(RpcException.class, mine::localValue)));
        assertThrows(RpcException.class, () -> send(owner, mine, user));
        group.settle();
        figures(owner, 0, 0, 0, 0);
        assertEquals(1, user.sent.get(MessageTypes.RREF_USER_DELETE));
    }

    // ---- creation

    @Test
    void aReferenceIsConfirmedWhenItsFunctionHasEnded() {
        Creation<String> creation = create();
        figures(user, 0, 0, 1, 0);
        assertFalse(creation.rref().confirmedByOwner());
        CallFuture<@Nullable Object> result = arrive(creation);
        figures(owner, 1, 1, 0, 1);
        result.complete("value");
        figures(owner, 1, 0, 0, 1);
        user.context.creationEnded(creation, null);
        assertTrue(creation.rref().confirmedByOwner());
        figures(user, 0, 0, 0, 0);
        creation.rref().close();
        group.settle();
        figures(owner, 0, 0, 0, 0);
    }

    @Test
    void aHandleThatIsClosedEarlyStaysUntilItIsConfirmed() {
        Creation<String> creation = create();
        creation.rref().close();
        assertEquals(0, group.events.size());
        make(creation, "value");
        group.settle();
        assertEquals(1, user.sent.get(MessageTypes.RREF_USER_DELETE));
        figures(owner, 0, 0, 0, 0);
    }

    @ParameterizedTest
    @EnumSource(
            value = RpcErrorKind.class,
            names = {"TIMEOUT", "INTENTIONAL_FAILURE"})
    void afterACreationTimedOutItsReferenceSaysSo(RpcErrorKind kind) {
        Creation<String> creation = create();
        user.context.creationEnded(creation, new RpcException(kind, "too late"));
        RRef<String> rref = creation.rref();
        for (Runnable use : List.<Runnable>of(rref::toHere, () -> send(user, rref, other))) {
            var failure = assertThrows(RpcException.class, use::run);
            assertEquals(CREATION_FAILED, failure.getMessage());
            assertEquals(kind, failure.kind());
        }
        assertFalse(rref.confirmedByOwner());
        make(creation, "late");
        rref.close();
        group.settle();
        figures(owner, 0, 0, 0, 0);
    }

    @Test
    void afterACreationFailedItsReferenceSaysWhy() {
        Creation<String> creation = create();
        user.context.creationEnded(creation, new RpcConnectionException("w0 is gone"));
        var failure = assertThrows(RpcConnectionException.class, () -> creation.rref().toHere());
        assertEquals("w0 is gone", failure.getMessage());
    }

    @Test
    void aDeletionThatOvertakesTheCreationWins() {
        Creation<String> creation = create();
        user.context.creationEnded(creation, new RpcTimeoutException("too late"));
        creation.rref().close();
        group.settle();
        CallFuture<@Nullable Object> result = arrive(creation);
        result.complete("no worker refers to it");
        figures(owner, 0, 0, 0, 0);
    }

    // ---- creation on the same worker

    @Test
    void aReferenceToOneselfHasAForkUntilItsFunctionHasEnded() {
        Creation<String> creation = owner.context.create(owner.info, TYPE);
        assertEquals(creation.rrefId(), creation.forkId());
        figures(owner, 1, 1, 0, 1);
        owner.context.createOwned(0, creation.rrefId(), creation.forkId(), TYPE).complete("value");
        owner.context.creationEnded(creation, null);
        assertEquals("value", creation.rref().localValue());
        figures(owner, 0, 0, 0, 0);
    }

    @Test
    void aTimedOutReferenceToOneselfSaysSoAlthoughTheValueMayComeLater() {
        Creation<String> creation = owner.context.create(owner.info, TYPE);
        owner.context.creationEnded(creation, new RpcTimeoutException("too late"));
        assertEquals(
                CREATION_FAILED,
                text(assertThrows(RpcException.class, () -> creation.rref().toHere())));
        assertThrows(RpcException.class, () -> send(owner, creation.rref(), user));
        owner.context
                .createOwned(0, creation.rrefId(), creation.forkId(), TYPE)
                .tryComplete("late");
        assertEquals(
                CREATION_FAILED,
                text(assertThrows(RpcException.class, () -> creation.rref().localValue())));
        figures(owner, 0, 0, 0, 0);
    }

    @Test
    void whoeverWaitsForAValueOfOneselfThatWillNotComeLearnsIt() throws Exception {
        for (RpcErrorKind kind : List.of(RpcErrorKind.TIMEOUT, RpcErrorKind.INTENTIONAL_FAILURE)) {
            Creation<String> creation = owner.context.create(owner.info, TYPE);
            FutureTask<String> waiting = started(() -> creation.rref().localValue());
            owner.context.creationEnded(creation, new RpcException(kind, "failed"));
            assertEquals(CREATION_FAILED, failureOf(waiting).getMessage());
        }
    }

    private static FutureTask<String> started(Callable<String> wait) throws InterruptedException {
        var running = new CountDownLatch(1);
        var task =
                new FutureTask<>(() -> {
                    running.countDown();
                    return wait.call();
                });
        Thread.ofVirtual().start(task);
        running.await();
        return task;
    }

    private static Throwable failureOf(FutureTask<?> task) {
        return Objects.requireNonNull(assertThrows(ExecutionException.class, task::get).getCause());
    }

    @Test
    void othersMayStillGetTheLateValueOfATimedOutReference() {
        Creation<String> creation = owner.context.create(owner.info, TYPE);
        RRef<?> theirs = send(owner, creation.rref(), user);
        owner.context.creationEnded(creation, new RpcTimeoutException("too late"));
        owner.context.createOwned(0, creation.rrefId(), creation.forkId(), TYPE).complete("late");
        assertEquals("late", owner.context.ownedValue(1, creation.rrefId(), TYPE).join());
        theirs.close();
        group.settle();
        figures(owner, 0, 0, 0, 0);
    }

    // ---- forks

    @Test
    void aForkFromTheOwnerNeedsNoMessage() {
        RRef<String> rref = owner.context.local("value");
        RRef<?> theirs = send(owner, rref, user);
        assertTrue(theirs.confirmedByOwner());
        assertEquals(0, group.events.size());
        figures(owner, 1, 0, 0, 1);
        theirs.close();
        group.settle();
        figures(owner, 0, 0, 0, 0);
        RRef<?> again = send(owner, rref, user);
        figures(owner, 1, 0, 0, 1);
        again.close();
        group.settle();
        figures(owner, 0, 0, 0, 0);
    }

    @Test
    void aForkThatComesHomeIsTheOwnersHandle() {
        RRef<String> rref = owner.context.local("value");
        RRef<?> user1 = send(owner, rref, user);
        RRef<?> home = send(user, user1, owner);
        assertTrue(home.isOwner());
        assertEquals(rref, home);
        assertEquals(rref.hashCode(), home.hashCode());
        assertSame("value", home.localValue());
        assertEquals(rref, send(owner, rref, owner));
        user1.close();
        assertEquals(
                null,
                user.sent.get(MessageTypes.RREF_USER_DELETE),
                "a parent was deleted before its child was accepted");
        group.settle();
        figures(owner, 0, 0, 0, 0);
    }

    @Test
    void aParentStaysUntilItsChildIsKnown() {
        Creation<String> creation = create();
        make(creation, "value");
        RRef<?> child = send(user, creation.rref(), other);
        creation.rref().close();
        assertFalse(child.confirmedByOwner());
        figures(other, 0, 0, 1, 0);
        group.settle();
        assertTrue(child.confirmedByOwner());
        assertEquals(1, other.sent.get(MessageTypes.RREF_FORK_REQUEST));
        assertEquals(1, other.sent.get(MessageTypes.RREF_CHILD_ACCEPT));
        assertEquals(1, user.sent.get(MessageTypes.RREF_USER_DELETE));
        figures(owner, 1, 0, 0, 1);
        child.close();
        group.settle();
        figures(owner, 0, 0, 0, 0);
    }

    @Test
    void aForkThatWasNotSentIsTakenBack() {
        RRef<String> rref = owner.context.local("value");
        owner.send(
                new Held(owner, rref, new GloballyUniqueId(0, 0, SimulatedGroup.SECRET), 0),
                user,
                true,
                _ -> {});
        figures(owner, 1, 0, 0, 1);
        group.settle();
        figures(owner, 0, 0, 0, 0);
        Creation<String> creation = create();
        make(creation, "value");
        user.send(held(user, creation, 0), other, true, _ -> {});
        creation.rref().close();
        assertEquals(null, user.sent.get(MessageTypes.RREF_USER_DELETE));
        group.settle();
        assertEquals(1, user.sent.get(MessageTypes.RREF_USER_DELETE));
        figures(owner, 0, 0, 0, 0);
    }

    @Test
    void controlMessagesThatComeAgainChangeNothing() {
        Creation<String> creation = create();
        make(creation, "value");
        RRef<?> child = send(user, creation.rref(), other);
        group.settle(); // each message came twice
        figures(owner, 1, 0, 0, 2);
        child.close();
        creation.rref().close();
        group.settle();
        figures(owner, 0, 0, 0, 0);
        owner.context.onForkRequest(
                2, creation.rrefId(), new GloballyUniqueId(1, 2, SimulatedGroup.SECRET), TYPE);
        figures(owner, 0, 0, 0, 0);
        user.context.onChildAccepted(2, new GloballyUniqueId(1, 2, SimulatedGroup.SECRET));
        owner.context.onUserDeleted(
                1, List.of(new Deletions.Fork(creation.rrefId(), creation.forkId())));
        assertThrows(
                RpcException.class, () -> owner.context.ownedValue(1, creation.rrefId(), TYPE));
    }

    // ---- fetching

    @Test
    void aFetchThatComesBeforeTheCreationWaitsForIt() throws Exception {
        Creation<String> creation = create();
        FutureTask<String> fetching = fetch(creation);
        figures(owner, 1, 1, 0, 0);
        make(creation, "value");
        assertEquals("value", fetching.get());
        creation.rref().close();
        group.settle();
        figures(owner, 0, 0, 0, 0);
    }

    /** Begin to fetch, until the request reaches the owner. */
    private FutureTask<String> fetch(Creation<String> creation) throws InterruptedException {
        FutureTask<String> fetching = started(() -> creation.rref().toHere());
        while (user.fetches.isEmpty() || group.events.isEmpty()) {
            LockSupport.parkNanos(100_000);
        }
        group.settle();
        return fetching;
    }

    @Test
    void aFetchEndsWhenTheCreationFails() throws Exception {
        Creation<String> creation = create();
        FutureTask<String> fetching = fetch(creation);
        user.context.creationEnded(
                creation, new RpcException(RpcErrorKind.INTENTIONAL_FAILURE, "not sent"));
        assertEquals(CREATION_FAILED, failureOf(fetching).getMessage());
        creation.rref().close();
        group.settle();
        figures(owner, 0, 0, 0, 0);
    }

    @Test
    void aFetchGoesOnWhenTheCreationOnlyTakesTooLong() throws Exception {
        Creation<String> creation = create();
        FutureTask<String> fetching = fetch(creation);
        user.context.creationEnded(creation, new RpcTimeoutException("too late"));
        assertFalse(fetching.isDone());
        arrive(creation).complete("value");
        assertEquals("value", fetching.get());
        creation.rref().close();
        group.settle();
        figures(owner, 0, 0, 0, 0);
    }

    @Test
    void aFetchOfAValueThatIsGivenUpIsAnswered() {
        Creation<String> creation = create();
        CallFuture<@Nullable Object> fetched = owner.context.ownedValue(1, creation.rrefId(), TYPE);
        user.context.creationEnded(creation, new RpcTimeoutException("too late"));
        creation.rref().close();
        group.settle();
        assertEquals(
                "OwnerRRef("
                        + creation.rrefId()
                        + ") has been deleted. Cannot call toHere() on it after deletion.",
                text(assertThrows(RpcException.class, fetched::value)));
        figures(owner, 0, 0, 0, 0);
    }

    // ---- loss of peers

    private void lose(SimulatedWorker lost) {
        lost.alive = false;
        for (SimulatedWorker survivor : group.workers) {
            if (survivor.alive) {
                survivor.context.onPeerLost(
                        lost.info.id(), new RpcConnectionException(lost.info + " is gone"));
            }
        }
    }

    @Test
    void whatALostWorkerHeldIsGivenUp() {
        Creation<String> creation = create();
        make(creation, "value");
        lose(user);
        figures(owner, 0, 0, 0, 0);
        // A message that it sent before it died arrives late.
        Creation<String> late = user.context.create(owner.info, TYPE);
        arrive(late).complete("no worker refers to it");
        owner.context.onForkRequest(
                1, creation.rrefId(), new GloballyUniqueId(2, 9, SimulatedGroup.SECRET), TYPE);
        figures(owner, 0, 0, 0, 0);
    }

    @Test
    void whatWasExpectedOfALostOwnerFails() {
        Creation<String> creation = create();
        make(creation, "value");
        RRef<?> child = send(user, creation.rref(), other);
        Creation<String> pending = create();
        lose(owner);
        group.settle();
        figures(other, 0, 0, 0, 0);
        figures(user, 0, 0, 0, 0);
        assertFalse(child.confirmedByOwner());
        assertThrows(RpcConnectionException.class, () -> pending.rref().toHere());
        child.close();
        creation.rref().close();
        group.settle();
    }

    @Test
    void aValueThatALostWorkerWasToAskForFails() {
        Creation<String> creation = create();
        CallFuture<@Nullable Object> fetched = owner.context.ownedValue(1, creation.rrefId(), TYPE);
        lose(user);
        assertThrows(RpcConnectionException.class, fetched::value);
        figures(owner, 0, 0, 0, 0);
    }

    @Test
    void aParentDoesNotWaitForALostChild() {
        Creation<String> creation = create();
        make(creation, "value");
        user.send(held(user, creation, 0), other, false, _ -> {});
        creation.rref().close();
        lose(other);
        group.settle();
        assertEquals(1, user.sent.get(MessageTypes.RREF_USER_DELETE));
    }

    @Test
    void aChildWhoseValueWentWithItsLostParentIsToldSo() {
        Creation<String> creation = create();
        make(creation, "value");
        RRef<?> child = send(user, creation.rref(), other);
        lose(user);
        figures(owner, 0, 0, 0, 0);
        group.settle();
        assertEquals(
                "OwnerRRef("
                        + creation.rrefId()
                        + ") has been deleted. Cannot call toHere() on it after deletion.",
                text(assertThrows(RpcException.class, child::toHere)));
        child.close();
        group.settle();
        figures(owner, 0, 0, 0, 0);
        figures(other, 0, 0, 0, 0);
    }

    // ---- the end

    @Test
    void deletingAllGivesUpOpenHandles() {
        Creation<String> creation = create();
        make(creation, "value");
        user.context.deleteAll(Duration.ofMillis(1));
        group.settle();
        owner.context.deleteAll(Duration.ofMillis(1));
        figures(owner, 0, 0, 0, 0);
        assertEquals(List.of(), owner.context.destroy());
        assertEquals(List.of(), user.context.destroy());
    }

    @Test
    void deletingAllWaitsNoLongerThanItIsTold() {
        Creation<String> pending = create();
        Creation<String> made = create();
        arrive(made);
        long start = System.nanoTime();
        user.context.deleteAll(Duration.ofMillis(20));
        owner.context.deleteAll(Duration.ofMillis(20));
        long took = System.nanoTime() - start;
        assertTrue(took >= 40_000_000 && took < 5_000_000_000L, "took " + took + " ns");
        assertFalse(pending.rref().confirmedByOwner());
    }

    @Test
    void deletingAllEndsWhenTheWorkerIsStopped() throws Exception {
        create();
        FutureTask<String> deleting =
                started(() -> {
                    user.context.deleteAll(Duration.ZERO);
                    return "done";
                });
        assertEquals(List.of(), user.context.destroy());
        assertEquals("done", deleting.get());
        figures(user, 0, 0, 0, 0);
    }

    @Test
    void whatNobodyGaveUpIsReportedAtTheEnd() {
        Creation<String> creation = create();
        make(creation, "value");
        assertEquals(
                List.of(
                        "Leaking RRef GloballyUniqueId(created_on=1, local_id=0) with fork Id GloballyUniqueId(created_on=1, local_id=1) (a String used by worker 1)"),
                owner.context.destroy());
        assertEquals(List.of(), owner.context.destroy());
    }

    @Test
    void afterTheEndNothingIsSentAndNobodyWaits() {
        Creation<String> creation = create();
        CallFuture<@Nullable Object> result = arrive(creation);
        user.context.destroy();
        owner.context.destroy();
        var failure = assertThrows(RpcException.class, result::value);
        assertEquals(RpcErrorKind.SHUTDOWN, failure.kind());
        assertEquals(
                "the worker was shut down before the value of OwnerRRef("
                        + creation.rrefId()
                        + ") was made",
                failure.getMessage());
        creation.rref().close();
        user.context.creationEnded(creation, null);
        assertEquals(0, group.events.size());
        figures(user, 0, 0, 0, 0);
    }

    // ---- modules

    /** An interface of modules. */
    @ModuleInterface
    private interface Talks {}

    private record Speaker() implements Talks {}

    @Test
    void aModuleStaysWithItsOwner() {
        RRef<Talks> mine = owner.context.local(new Speaker(), Talks.class);
        assertEquals(new Speaker(), mine.toHere());
        RRef<?> theirs = send(owner, mine, user);
        RRef<?> others = send(user, theirs, other);
        group.settle();
        for (RRef<?> rref : List.of(theirs, others)) {
            String text = text(assertThrows(RpcException.class, rref::toHere));
            assertTrue(
                    text.startsWith(rref + " is an RRef to a module through its interface."), text);
        }
        assertEquals(
                others
                        + " is an RRef to a module through its interface. It can't be sent through RPC from owner, WorkerInfo(id=0, name=w0), to user, WorkerInfo(id=2, name=w2). Call its methods through the reference.",
                text(assertThrows(RpcException.class, others::toHere)));
        assertEquals(List.of(), user.fetches);
        var id = new GloballyUniqueId(0, 0, SimulatedGroup.SECRET);
        assertEquals(
                "OwnerRRef(GloballyUniqueId(created_on=0, local_id=0)) is an RRef to a module through its interface. It can't be sent through RPC from owner, WorkerInfo(id=0, name=w0), to user, WorkerInfo(id=1, name=w1). Call its methods through the reference.",
                text(
                        assertThrows(
                                RpcException.class, () -> owner.context.requireFetchable(id, 1))));
        theirs.close();
        others.close();
        group.settle();
        figures(owner, 0, 0, 0, 0);
    }

    @Test
    void aFetchThatOvertakesTheCreationOfAModuleIsRefusedToo() {
        Creation<String> creation =
                user.context.create(owner.info, new RRefType(FunctionKind.USER, true, "Talks"));
        owner.context.ownedValue(1, creation.rrefId(), TYPE);
        owner.context.requireFetchable(creation.rrefId(), 2); // not known yet
        owner.context
                .createOwned(
                        1,
                        creation.rrefId(),
                        creation.forkId(),
                        new RRefType(FunctionKind.USER, true, "Talks"))
                .complete(new Speaker());
        assertThrows(
                RpcException.class, () -> owner.context.requireFetchable(creation.rrefId(), 2));
    }

    // ---- bytes

    /** Save a reference, after its owner has acknowledged it; return the message with it. */
    private Message save(SimulatedWorker worker, RRef<?> rref) throws Exception {
        worker.saves = true;
        WireOutput out = worker.codec.begin(Output.NOWHERE, false);
        out.writeValue(rref);
        Message bytes = out.toMessage(0);
        List<SavedReferences.Saved> saved = out.attached(SavedReferences.Saved.class);
        worker.codec.giveBack(out);
        worker.saves = false;
        var announced =
                new FutureTask<@Nullable Void>(() -> worker.context.saved().announce(saved), null);
        int before = group.events.size();
        Thread.ofVirtual().start(announced);
        if (!rref.isOwner()) {
            while (group.events.size() == before) {
                LockSupport.parkNanos(100_000);
            }
            settleUntil(announced);
        }
        announced.get();
        return bytes;
    }

    private void settleUntil(FutureTask<?> task) {
        while (!task.isDone()) {
            group.settle();
        }
    }

    private static RRef<?> load(SimulatedWorker worker, Message bytes) {
        return (RRef<?>)
                Objects.requireNonNull(worker.codec.open(Output.NOWHERE, bytes).body().readValue());
    }

    private static final String LOADED_BEFORE =
            "cannot be loaded: it was loaded from these bytes before, or deleted; save it once for each load";

    @Test
    void bytesOfAUserKeepTheValueUntilAThirdLoadsThem() throws Exception {
        Creation<String> creation = create();
        make(creation, "value");
        Message bytes = save(user, creation.rref());
        creation.rref().close();
        group.settle();
        figures(owner, 1, 0, 0, 1);
        RRef<?> loaded = load(other, bytes);
        assertFalse(loaded.confirmedByOwner());
        group.settle();
        assertTrue(loaded.confirmedByOwner());
        figures(owner, 1, 0, 0, 1);
        RRef<?> again = load(user, bytes);
        group.settle();
        assertTrue(text(failure(again)).contains(LOADED_BEFORE));
        again.close();
        loaded.close();
        group.settle();
        figures(owner, 0, 0, 0, 0);
        figures(user, 0, 0, 0, 0);
        figures(other, 0, 0, 0, 0);
        RRef<?> late = load(other, bytes);
        group.settle();
        assertTrue(text(failure(late)).contains(LOADED_BEFORE));
        figures(owner, 0, 0, 0, 0);
    }

    private static RpcException failure(RRef<?> rref) {
        return assertThrows(RpcException.class, () -> rref.confirmation().value());
    }

    @Test
    void bytesOfTheOwnerNeedNoMessageAndComeHomeOnce() throws Exception {
        RRef<String> mine = owner.context.local("value");
        Message bytes = save(owner, mine);
        assertEquals(Map.of(), owner.sent);
        figures(owner, 1, 0, 0, 1);
        assertEquals(mine, load(owner, bytes));
        figures(owner, 0, 0, 0, 0);
        assertTrue(
                text(assertThrows(RpcException.class, () -> load(owner, bytes)))
                        .contains(LOADED_BEFORE));
        Message second = save(owner, mine);
        RRef<?> theirs = load(user, second);
        group.settle();
        assertTrue(theirs.confirmedByOwner());
        theirs.close();
        group.settle();
        figures(owner, 0, 0, 0, 0);
    }

    @Test
    void bytesOutliveTheWorkerThatSavedThem() throws Exception {
        Creation<String> creation = create();
        make(creation, "value");
        Message bytes = save(user, creation.rref());
        group.settle();
        user.alive = false;
        owner.context.onPeerLost(1, new RpcConnectionException("w1 is gone"));
        RRef<?> loaded = load(other, bytes);
        group.settle();
        assertTrue(loaded.confirmedByOwner());
        loaded.close();
        group.settle();
        figures(owner, 0, 0, 0, 0);
    }

    @Test
    void onlyBytesThatNobodyLoadedAreNotWaitedFor() throws Exception {
        var _ = save(owner, owner.context.local("value"));
        owner.context.deleteAll(Duration.ofDays(1));
        assertEquals(
                List.of(
                        "Leaking RRef GloballyUniqueId(created_on=0, local_id=0) with fork Id GloballyUniqueId(created_on=0, local_id=1) (a String in bytes that were never loaded)"),
                owner.context.destroy());
    }

    @Test
    void savingNeedsAScope() {
        WireOutput out = user.codec.begin(Output.NOWHERE, false);
        assertEquals(
                "RRef serialization is only allowed inside RPC calls. (Or while the thread has Rpc.serialization().allowReferences() open.)",
                text(assertThrows(RpcException.class, () -> out.writeValue(create().rref()))));
    }
}
