package org.gradwire.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Settings;
import org.gradwire.spi.Worker;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;

/** Which contexts messages make on a worker, and which not any more. */
class ContextContainerTest {
    private static final long CREATOR = 1L << 48;
    private static final long INCARNATION = 1L << 32;

    private final ContextContainer contexts = new ContextContainer(worker());

    @Test
    void noMessageMakesAContextOfALostWorker() {
        AutogradContext known = contexts.join(CREATOR + 5);
        assertEquals(List.of(known), contexts.refuseThoseOf(1));
        assertNull(contexts.join(CREATOR), "an older one");
        assertNull(contexts.join(CREATOR + 6), "a newer one");
    }

    @Test
    void noMessageMakesTheFirstContextOfALostWorker() {
        assertEquals(List.of(), contexts.refuseThoseOf(1));
        assertNull(contexts.join(CREATOR));
    }

    @Test
    void othersMakeThemAlsoWhenTheyHaveTheIdOfTheLostOne() {
        AutogradContext other = contexts.join(2 * CREATOR);
        contexts.refuseThoseOf(1);
        assertEquals(other, contexts.join(2 * CREATOR));
        assertNotNull(contexts.join(7));
        AutogradContext successors = contexts.join(CREATOR + INCARNATION);
        assertEquals(List.of(successors), contexts.refuseThoseOf(1));
        assertNull(contexts.join(CREATOR + INCARNATION + 1));
        assertNotNull(contexts.join(CREATOR + 2 * INCARNATION));
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
