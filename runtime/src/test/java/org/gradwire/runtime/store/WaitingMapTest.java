package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

class WaitingMapTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration LIFE = Duration.ofSeconds(1);

    private final WaitingMap map = new WaitingMap();

    private static byte[] bytes(String text) {
        return text.getBytes(US_ASCII);
    }

    /** Gets that time out must not consume the wake-up of those that continue to wait. */
    @RepeatedTest(5)
    void allThatWaitForAKeyGetItThoughOthersGiveUp() throws Exception {
        var random = new Random(5);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 50; round++) {
                String key = "key/" + round;
                List<Future<byte[]>> waiting = new ArrayList<>();
                List<Future<?>> impatient = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    waiting.add(threads.submit(() -> map.get(key, LONG)));
                    Duration little = Duration.ofNanos(random.nextInt(100_000));
                    impatient.add(threads.submit(() -> getOrGiveUp(key, little)));
                }
                map.set(key, bytes(key));
                for (Future<byte[]> each : waiting) {
                    assertArrayEquals(bytes(key), each.get());
                }
                for (Future<?> each : impatient) {
                    each.get();
                }
            }
        }
    }

    private void getOrGiveUp(String key, Duration timeout) {
        try {
            assertArrayEquals(bytes(key), map.get(key, timeout));
        } catch (RpcTimeoutException _) {
            // may be
        }
    }

    @Test
    void aKeyIsFoundWhenItIsThere() {
        assertNull(map.find("key"));
        assertThrows(RpcTimeoutException.class, () -> map.get("key", Duration.ZERO));
        map.set("key", bytes("value"));
        Objects.requireNonNull(map.find("key"))[0] = 0; // a copy of the caller
        assertArrayEquals(bytes("value"), map.find("key"));
        assertEquals(3, map.add("number", 3));
        assertArrayEquals(bytes("3"), map.get("number", Duration.ZERO));
    }

    @Test
    void aLeaseIsCountedUntilItEnds() {
        var held = new AtomicInteger();
        long id =
                map.acquire(
                        "key",
                        bytes("value"),
                        LIFE,
                        () -> held.incrementAndGet() <= 1,
                        held::decrementAndGet);
        assertNotEquals(LeaseTable.NONE, id);
        assertEquals(
                LeaseTable.NONE, map.acquire("key", bytes("other"), LIFE, () -> true, () -> {}));
        assertEquals(1, held.get());
        assertEquals(
                "too many leases of keys of the store at the same time; at most 16384 for all workers, and 8192 for the workers of a host",
                assertThrows(
                                RpcException.class,
                                () ->
                                        map.acquire(
                                                "another",
                                                bytes("value"),
                                                LIFE,
                                                () -> false,
                                                () -> {}))
                        .getMessage());
        assertNull(map.find("another"));
        assertTrue(map.renew("key", id));
        assertFalse(map.renew("key", id + 1));
        assertFalse(map.release("key", id + 1));
        assertTrue(map.release("key", id));
        assertFalse(map.renew("key", id));
        assertEquals(0, held.get());
    }

    /** Also if no caller looks at its key again. */
    @Test
    void aLeaseThatEndedIsNoLongerCounted() {
        var ended = new AtomicInteger();
        map.acquire("other", bytes("value"), LIFE, () -> true, ended::incrementAndGet);
        map.acquire("key", bytes("value"), LIFE, () -> true, ended::incrementAndGet);
        assertNull(map.watch("key", bytes("value"), LONG, () -> false));
        assertNotEquals(
                LeaseTable.NONE, map.acquire("key", bytes("new"), LONG, () -> true, () -> {}));
        assertEquals(2, ended.get());
        map.set("other", bytes("kept")); // without the lease that has ended
        assertArrayEquals(bytes("kept"), map.find("other"));
    }
}
