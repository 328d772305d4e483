package org.gradwire.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Settings;
import org.gradwire.spi.Worker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Which contexts messages make on a worker, and which not any more. */
class ContextContainerTest {
    private static final long CREATOR = 1L << 48;
    private static final long INCARNATION = 1L << 32;
    private static final long SECRET = 0x5ec7e7;
    private static final int OTHER = 3;

    private final ContextContainer contexts = new ContextContainer(worker());

    private @Nullable AutogradContext join(long id) {
        return contexts.join(new ContextKey(id, SECRET), ContextContainer.creator(id));
    }

    private static ContextKey key(long number) {
        return new ContextKey(CREATOR + number, SECRET);
    }

    @Test
    void noMessageMakesAContextOfALostWorker() {
        AutogradContext known = join(CREATOR + 5);
        assertEquals(List.of(known), contexts.refuseThoseOf(1));
        contexts.onPeerJoined(1);
        assertNull(join(CREATOR), "an older one");
        assertNull(join(CREATOR + 6), "a newer one");
    }

    @Test
    void noMessageMakesTheFirstContextOfALostWorker() {
        assertEquals(List.of(), contexts.refuseThoseOf(1));
        assertNull(join(CREATOR));
        assertNull(contexts.join(key(INCARNATION), OTHER), "whatever it was, while it is lost");
    }

    @Test
    void othersMakeThemAlsoWhenTheyHaveTheIdOfTheLostOne() {
        AutogradContext other = join(2 * CREATOR);
        contexts.refuseThoseOf(1);
        contexts.onPeerJoined(1);
        assertEquals(other, join(2 * CREATOR));
        assertNull(join(7), "its own");
        AutogradContext successors = join(CREATOR + INCARNATION);
        assertEquals(List.of(successors), contexts.refuseThoseOf(1));
        contexts.onPeerJoined(1);
        assertNull(join(CREATOR + INCARNATION + 1));
        assertNotNull(join(CREATOR + 2 * INCARNATION));
    }

    @Test
    void aSecretMakesTheContext() {
        AutogradContext forged = contexts.join(new ContextKey(CREATOR, SECRET + 1), OTHER);
        AutogradContext real = join(CREATOR);
        assertNotEquals(forged, real);
        assertEquals(real, contexts.find(CREATOR));
        assertEquals(real, contexts.lookup(key(0)));
        assertThrows(RpcException.class, () -> contexts.lookup(new ContextKey(CREATOR, 0)));
    }

    @Test
    void whoDoesNotKnowTheSecretReleasesNothing() {
        AutogradContext real = join(CREATOR);
        var forged = new ContextKey(CREATOR, SECRET + 1);
        assertEquals(List.of(), contexts.release(OTHER, forged));
        assertEquals(real, join(CREATOR));
        assertNull(contexts.join(forged, OTHER));
        assertEquals(List.of(), contexts.release(OTHER, key(1)));
        assertNull(join(CREATOR + 1), "by who knows it, before it came");
    }

    @Test
    void aCreatorReleasesWhatWasForgedUnderItsId() {
        AutogradContext forged = contexts.join(new ContextKey(CREATOR, SECRET + 1), OTHER);
        assertEquals(List.of(forged), contexts.release(1, key(0)));
        assertNull(join(CREATOR));
    }

    @Test
    void onlyTheOpenContextsOfOneWorkerAreLimited() {
        AutogradContext first = contexts.join(key(0), OTHER);
        for (int i = 1; i < ContextContainer.MOST_INTRODUCED; i++) {
            contexts.join(key(i), OTHER);
        }
        ContextKey more = key(ContextContainer.MOST_INTRODUCED);
        var refused = assertThrows(RpcException.class, () -> contexts.join(more, OTHER));
        assertEquals(RpcErrorKind.REFUSED, refused.kind());
        assertNotNull(contexts.join(more, 1));
        assertTrue(contexts.remove(Objects.requireNonNull(first)));
        assertNotNull(contexts.join(key(ContextContainer.MOST_INTRODUCED + 1), OTHER));
        assertEquals(List.of(), contexts.orphans());
        assertEquals(List.of(), contexts.refuseThoseOf(OTHER));
        assertEquals(ContextContainer.MOST_INTRODUCED, contexts.orphans().size());
    }

    /** {@return a worker that can say who it is, and what its settings are} */
    private static Worker worker() {
        return (Worker)
                Proxy.newProxyInstance(
                        Worker.class.getClassLoader(),
                        new Class<?>[] {Worker.class},
                        (_, method, _) ->
                                switch (method.getName()) {
                                    case "self" -> new WorkerInfo(0, "worker0");
                                    case "incarnation" -> 0;
                                    case "settings" -> new NoTime();
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }

    /** All times are zero. */
    private static final class NoTime implements Settings {
        @Override
        public Optional<String> find(String key) {
            return Optional.of("0s");
        }

        @Override
        public String origin(String key) {
            return "the test";
        }
    }
}
