package org.gradwire.runtime.rref;

import static org.gradwire.runtime.rref.SimulatedGroup.SECRET;
import static org.gradwire.runtime.rref.SimulatedGroup.TYPE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.rref.RRefContext.Creation;
import org.gradwire.runtime.rref.SimulatedGroup.Held;
import org.gradwire.runtime.rref.SimulatedGroup.SimulatedWorker;
import org.gradwire.spi.DecodingException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.util.List;

/** Each worker creates, holds and deletes references for itself only. */
class RRefOwnershipTest {
    private static final int USER = 1;
    private static final int STRANGER = 2;

    private final SimulatedGroup group = new SimulatedGroup(3);
    private final SimulatedWorker owner = group.worker(0);
    private final SimulatedWorker user = group.worker(USER);
    private final Creation<String> creation = user.context.create(owner.info, TYPE);
    private final GloballyUniqueId valueId = creation.rrefId();
    private final GloballyUniqueId forkId = creation.forkId();

    private void make() {
        owner.context.createOwned(USER, valueId, forkId, TYPE).complete("value");
        user.context.creationEnded(creation, null);
    }

    private static void refused(Executable action) {
        assertEquals(RpcErrorKind.REFUSED, assertThrows(RpcException.class, action).kind());
    }

    private void delete(int from, GloballyUniqueId fork) {
        owner.context.onUserDeleted(from, List.of(new Deletions.Fork(valueId, fork)));
    }

    private static GloballyUniqueId drawnBy(int worker) {
        return new GloballyUniqueId(worker, 1_000, SECRET);
    }

    private void kept() {
        assertEquals(1, owner.figure("num_owner_rrefs"));
        assertEquals("value", owner.context.ownedValue(USER, valueId, TYPE).join());
        delete(USER, forkId);
        assertEquals(0, owner.figure("num_owner_rrefs"));
    }

    @Test
    void anotherWorkerDeletesNoFork() {
        make();
        refused(() -> delete(STRANGER, forkId));
        kept();
    }

    @Test
    void anotherWorkerDeletesNoForkThatIsStillToCome() {
        refused(() -> delete(STRANGER, forkId));
        make();
        kept();
    }

    @Test
    void ofManyDeletionsThoseThatAreTheSendersAreDone() {
        make();
        GloballyUniqueId theirs = drawnBy(USER);
        owner.context.onForkRequest(STRANGER, valueId, theirs, TYPE);
        var both =
                List.of(new Deletions.Fork(valueId, forkId), new Deletions.Fork(valueId, theirs));
        refused(() -> owner.context.onUserDeleted(STRANGER, both));
        assertEquals(1, owner.figure("num_forks"));
        kept();
    }

    @Test
    void theIdsOfAValueAreThoseOfItsCreator() {
        refused(() -> owner.context.createOwned(STRANGER, valueId, forkId, TYPE));
        refused(() -> owner.context.createOwned(USER, valueId, valueId, TYPE));
        refused(() -> owner.context.createOwned(USER, valueId, drawnBy(USER), TYPE));
        assertEquals(0, owner.figure("num_owner_rrefs"));
    }

    @Test
    void aForkHasOneHolder() {
        make();
        GloballyUniqueId theirs = drawnBy(USER);
        owner.context.onForkRequest(STRANGER, valueId, theirs, TYPE);
        refused(() -> owner.context.onForkRequest(USER, valueId, theirs, TYPE));
        refused(() -> owner.context.onForkRequest(STRANGER, valueId, forkId, TYPE));
        refused(() -> owner.context.onForkRequest(STRANGER, valueId, drawnBy(0), TYPE));
        delete(STRANGER, theirs);
        kept();
    }

    @Test
    void nobodyTakesTheForkOfACreatorBeforeIt() {
        refused(() -> owner.context.onForkRequest(STRANGER, valueId, forkId, TYPE));
        refused(() -> owner.context.saved().onSaved(STRANGER, valueId, forkId, TYPE));
        make();
        kept();
    }

    @Test
    void anIdWithAnotherSecretIsAnotherValue() {
        make();
        var guess = new GloballyUniqueId(valueId.createdOn(), valueId.localId(), SECRET + 1);
        assertEquals(valueId.toString(), guess.toString());
        assertFalse(owner.context.ownedValue(STRANGER, guess, TYPE).isDone());
        var local = new GloballyUniqueId(0, 0, SECRET + 1); // it would be known
        assertThrows(RpcException.class, () -> owner.context.ownedValue(STRANGER, local, TYPE));
    }

    @Test
    void aChildIsAcceptedByTheWorkerItWasSentTo() {
        make();
        RRef<?> rref = creation.rref();
        user.send(new Held(user, rref, valueId, 0), group.worker(STRANGER), false, _ -> {});
        GloballyUniqueId child = new GloballyUniqueId(USER, 2, SECRET);
        rref.close();
        refused(() -> user.context.onChildAccepted(0, child));
        assertEquals(0, group.events.size() - 1); // the message; no deletion before its arrival
        user.context.onChildAccepted(STRANGER, child);
        user.context.onChildAccepted(0, child); // a repetition, for which no child is left
    }

    @Test
    void aForkComesFromItsParent() {
        make();
        var fork = new ForkData(0, valueId, drawnBy(USER), USER, TYPE);
        refused(() -> group.worker(STRANGER).context.receive(0, fork));
        var foreign = new ForkData(0, valueId, drawnBy(USER), 0, TYPE);
        refused(() -> group.worker(STRANGER).context.receive(0, foreign));
        assertEquals(0, group.worker(STRANGER).figure("num_pending_users"));
    }

    @Test
    void aForkInBytesIsDeletedByItsWriterOnly() {
        make();
        GloballyUniqueId saved = drawnBy(USER);
        owner.context.saved().onSaved(USER, valueId, saved, TYPE);
        refused(() -> delete(STRANGER, saved));
        assertEquals(2, owner.figure("num_forks"));
        delete(USER, saved);
        assertEquals(1, owner.figure("num_forks"));
    }

    @Test
    void onlyAForkInBytesIsLoaded() {
        make();
        assertFalse(owner.context.saved().onLoaded(STRANGER, valueId, forkId, drawnBy(STRANGER)));
        GloballyUniqueId saved = drawnBy(USER);
        owner.context.saved().onSaved(USER, valueId, saved, TYPE);
        refused(() -> owner.context.saved().onLoaded(STRANGER, valueId, saved, forkId));
        refused(() -> owner.context.saved().onSaved(STRANGER, valueId, drawnBy(USER), TYPE));
        assertEquals(2, owner.figure("num_forks"));
    }

    @Test
    void whatOneWorkerSaysOfUnknownValuesIsLimited() {
        CallFuture<@Nullable Object> last = owner.newFuture();
        for (int i = 0; i < OwnedValues.MOST_INTRODUCED; i++) {
            last = owner.context.ownedValue(STRANGER, new GloballyUniqueId(USER, i, 1), TYPE);
        }
        var more = new GloballyUniqueId(USER, 0, 2);
        refused(() -> owner.context.ownedValue(STRANGER, more, TYPE));
        refused(() -> owner.context.onForkRequest(STRANGER, more, drawnBy(USER), TYPE));
        owner.context.ownedValue(USER, more, TYPE); // others are not concerned
        owner.context.onPeerLost(STRANGER, new RpcConnectionException("gone"));
        assertThrows(RpcConnectionException.class, last::value);
        assertEquals(1, owner.figure("num_owner_rrefs"));
    }

    @Test
    void deletionsOfOneWorkerPushOutNoneOfOthers() {
        delete(USER, forkId);
        for (int i = 0; i < 2 * DeletedIds.MOST_PER_WORKER; i++) {
            delete(STRANGER, new GloballyUniqueId(STRANGER, i, 1));
        }
        owner.context.createOwned(USER, valueId, forkId, TYPE);
        assertEquals(0, owner.figure("num_owner_rrefs"));
    }

    @Test
    void aValueThatNobodyRefersToAnyMoreIsForgotten() {
        GloballyUniqueId theirs = drawnBy(USER);
        owner.context.onForkRequest(STRANGER, valueId, theirs, TYPE);
        assertEquals(1, owner.figure("num_owner_rrefs"));
        delete(STRANGER, theirs);
        assertEquals(0, owner.figure("num_owner_rrefs"));
        make(); // requested later, the value exists
        kept();
    }

    @Test
    void whatALostWorkerSavedOfAnUnknownValueGoesWithIt() {
        owner.context.saved().onSaved(STRANGER, valueId, drawnBy(STRANGER), TYPE);
        assertEquals(1, owner.figure("num_forks"));
        owner.context.onPeerLost(STRANGER, new RpcConnectionException("gone"));
        assertEquals(0, owner.figure("num_forks"));
        assertEquals(0, owner.figure("num_owner_rrefs"));
    }

    @Test
    void aValueThatIsLoadedHereBeforeItsMakingIsAskedForIsWaitedFor() {
        GloballyUniqueId savedId = drawnBy(USER);
        owner.context.saved().onSaved(USER, valueId, savedId, TYPE);
        var loaded = loadOnOwner(savedId);
        make();
        assertEquals("value", loaded.localValue());
        delete(USER, forkId);
        assertEquals(0, owner.figure("num_owner_rrefs"));
    }

    @Test
    void aValueThatIsLoadedHereEndsWithTheWorkerThatWasToAskForIt() {
        GloballyUniqueId savedId = drawnBy(USER);
        owner.context.saved().onSaved(USER, valueId, savedId, TYPE);
        var loaded = loadOnOwner(savedId);
        owner.context.onPeerLost(USER, new RpcConnectionException("gone"));
        assertThrows(RpcConnectionException.class, loaded::localValue);
        assertEquals(0, owner.figure("num_owner_rrefs"));
    }

    private RRef<?> loadOnOwner(GloballyUniqueId savedId) {
        var written = new ForkData(owner.info.id(), valueId, savedId, USER, TYPE);
        return owner.context.load(written).rref();
    }

    @Test
    void theForksOfOneWorkerAreLimited() {
        var values = new OwnedValues(owner, 3);
        values.createFor(USER, valueId, forkId, TYPE);
        for (int id = 0; id < 2; id++) {
            values.onForkRequest(USER, valueId, new GloballyUniqueId(STRANGER, id, SECRET), TYPE);
        }
        GloballyUniqueId oneMore = new GloballyUniqueId(STRANGER, 2, SECRET);
        refused(() -> values.onForkRequest(USER, valueId, oneMore, TYPE));
        values.onForkRequest(STRANGER, valueId, drawnBy(USER), TYPE); // others are not concerned
        values.onUserDeleted(USER, valueId, forkId);
        values.onForkRequest(USER, valueId, oneMore, TYPE);
        assertEquals(4, values.forks());
        values.onPeerLost(USER, new RpcConnectionException("lost"));
        assertEquals(1, values.forks());
    }

    @Test
    void aRefusedForkLeavesNothingBehind() {
        var values = new OwnedValues(owner, 1);
        values.createFor(USER, valueId, forkId, TYPE);
        for (int id = 10; id < 20; id++) {
            var made = new GloballyUniqueId(USER, 2L * id, SECRET);
            refused(() -> values.createFor(USER, made, made.ofCreation(), TYPE));
            var named = new GloballyUniqueId(STRANGER, 2L * id, SECRET);
            refused(() -> values.onForkRequest(USER, named, drawnBy(STRANGER), TYPE));
            refused(() -> values.onSaved(USER, named, drawnBy(USER), TYPE));
        }
        assertEquals(1, values.count());
        assertEquals(1, values.forks());
        // A repeated request is not another one.
        values.createFor(USER, valueId, forkId, TYPE);
        assertEquals(1, values.forks());
    }

    @Test
    void theForksOfAllWorkersAreLimited() {
        var values = new OwnedValues(owner, 1); // of one worker, so 2 of all
        values.createFor(USER, valueId, forkId, TYPE);
        values.onForkRequest(STRANGER, valueId, drawnBy(USER), TYPE);
        int third = 3;
        refused(() -> values.onForkRequest(third, valueId, drawnBy(STRANGER), TYPE));
        values.onUserDeleted(USER, valueId, forkId);
        values.onForkRequest(third, valueId, drawnBy(STRANGER), TYPE);
        assertEquals(2, values.forks());
    }

    @Test
    void theTypeOfAReferenceIsBounded() {
        assertThrows(DecodingException.class, () -> RRefType.parse("SCRIPT:" + "x".repeat(1_018)));
        String longest = "x".repeat(1_000);
        assertEquals(longest, RRefType.parse("SCRIPT:" + longest).name());
    }
}
