package org.gradwire.autograd.distributed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Objects;

/** The contexts that messages create on a worker, and those that they must not create. */
class ContextContainerTest {
    private static final long CREATOR = 1L << 48;
    private static final long INCARNATION = 1L << 32;
    private static final long SECRET = 0x5ec7e7;
    private static final int OTHER = 3;

    private final ContextContainer contexts =
            new ContextContainer(new WorkerDouble().worker(), new LogDouble());

    private @Nullable ContextState join(long id) {
        return contexts.join(new ContextKey(id, SECRET), GlobalIds.creator(id));
    }

    private static ContextKey key(long number) {
        return new ContextKey(CREATOR + number, SECRET);
    }

    @Test
    void noMessageMakesAContextOfALostWorker() {
        ContextState known = join(CREATOR + 5);
        assertEquals(List.of(known), contexts.refuseThoseOf(1));
        contexts.onPeerJoined(1);
        assertNull(join(CREATOR), "an older one");
        assertNull(join(CREATOR + 6), "a newer one");
    }

    @Test
    void noMessageMakesTheFirstContextOfALostWorker() {
        assertEquals(List.of(), contexts.refuseThoseOf(1));
        assertNull(join(CREATOR));
        assertNull(contexts.join(key(INCARNATION), OTHER), "while its creator is lost");
    }

    @Test
    void othersMakeThemAlsoWhenTheyHaveTheIdOfTheLostOne() {
        ContextState other = join(2 * CREATOR);
        contexts.refuseThoseOf(1);
        contexts.onPeerJoined(1);
        assertEquals(other, join(2 * CREATOR));
        assertNull(join(7), "a context of this worker");
        ContextState successors = join(CREATOR + INCARNATION);
        assertEquals(List.of(successors), contexts.refuseThoseOf(1));
        contexts.onPeerJoined(1);
        assertNull(join(CREATOR + INCARNATION + 1));
        assertNotNull(join(CREATOR + 2 * INCARNATION));
    }

    @Test
    void aSecretMakesTheContext() {
        ContextState forged = contexts.join(new ContextKey(CREATOR, SECRET + 1), OTHER);
        ContextState real = join(CREATOR);
        assertNotEquals(forged, real);
        assertEquals(real, contexts.find(CREATOR));
        assertEquals(real, contexts.lookup(key(0)));
        assertThrows(RpcException.class, () -> contexts.lookup(new ContextKey(CREATOR, 0)));
    }

    @Test
    void whoDoesNotKnowTheSecretReleasesNothing() {
        ContextState real = join(CREATOR);
        var forged = new ContextKey(CREATOR, SECRET + 1);
        assertEquals(List.of(), contexts.release(OTHER, forged.forRelease()));
        assertEquals(real, join(CREATOR));
        assertNull(contexts.join(forged, OTHER));
        assertEquals(List.of(), contexts.release(OTHER, key(1).forRelease()));
        assertNull(join(CREATOR + 1), "released with the secret before it arrived");
    }

    @Test
    void whatReleasesAContextDoesNotNameItOtherwise() {
        ContextState real = join(CREATOR);
        ContextKey told = key(0).forRelease();
        assertThrows(RpcException.class, () -> contexts.lookup(told));
        assertNotEquals(real, contexts.join(told, OTHER));
        assertEquals(List.of(real), contexts.release(OTHER, told));
    }

    @Test
    void aCreatorReleasesWhatWasForgedUnderItsId() {
        ContextState forged = contexts.join(new ContextKey(CREATOR, SECRET + 1), OTHER);
        assertEquals(List.of(forged), contexts.release(1, key(0).forRelease()));
        assertNull(join(CREATOR));
    }

    @Test
    void aContextIsOfDoubtfulOriginIfItsCreatorDidNotIntroduceIt() {
        ContextState forged = contexts.join(key(0), OTHER);
        contexts.join(key(0), OTHER + 1); // a peer that is not lost
        ContextState real = contexts.join(key(1), OTHER);
        assertEquals(List.of(forged, real), contexts.introducedBy(OTHER));
        contexts.join(key(1), 1);
        assertEquals(List.of(forged), contexts.introducedBy(OTHER));
        assertEquals(List.of(forged), contexts.introducedBy(OTHER + 1));
        assertEquals(List.of(), contexts.introducedBy(1));
    }

    @Test
    void onlyTheOpenContextsOfOneWorkerAreLimited() {
        ContextState first = contexts.join(key(0), OTHER);
        for (int i = 1; i < PeerShares.MOST_CONTEXTS; i++) {
            contexts.join(key(i), OTHER);
        }
        ContextKey more = key(PeerShares.MOST_CONTEXTS);
        var refused = assertThrows(RpcException.class, () -> contexts.join(more, OTHER));
        assertEquals(RpcErrorKind.REFUSED, refused.kind());
        assertNotNull(contexts.join(more, 1));
        assertTrue(contexts.remove(Objects.requireNonNull(first)));
        assertNotNull(contexts.join(key(PeerShares.MOST_CONTEXTS + 1), OTHER));
        assertEquals(PeerShares.MOST_CONTEXTS, contexts.introducedBy(OTHER).size());
    }

    @Test
    void onlyTheCallsOfOneWorkerInOpenContextsAreLimited() {
        ContextState first = contexts.joinByCall(key(0), OTHER);
        for (int i = 1; i < PeerShares.MOST_CALLS; i++) {
            contexts.joinByCall(key(i % 2), OTHER);
        }
        var refused = assertThrows(RpcException.class, () -> contexts.joinByCall(key(1), OTHER));
        assertEquals(RpcErrorKind.REFUSED, refused.kind());
        assertEquals(
                "worker 3 has made 250000 calls here in autograd contexts that are open, the most that one worker may; close contexts whose passes are over",
                refused.getMessage());
        assertNotNull(contexts.joinByCall(key(1), 1), "of another worker");
        assertNotNull(contexts.join(key(1), OTHER), "by a message that is not a call");
        assertTrue(contexts.remove(Objects.requireNonNull(first)));
        for (int i = 0; i < PeerShares.MOST_CALLS / 2; i++) {
            assertNotNull(contexts.joinByCall(key(1), OTHER), "in place of those released");
        }
        assertThrows(RpcException.class, () -> contexts.joinByCall(key(1), OTHER));
    }

    @Test
    void anIdFindsNoContextThatMayBeForged() {
        ContextState brought = contexts.join(key(0), OTHER);
        assertEquals(brought, contexts.find(CREATOR));
        contexts.join(new ContextKey(CREATOR, SECRET + 1), 2);
        assertNull(contexts.find(CREATOR), "either may be the creator's");
        assertEquals(brought, join(CREATOR));
        assertEquals(brought, contexts.find(CREATOR));
    }
}
