package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import static java.nio.charset.StandardCharsets.US_ASCII;

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

class WaitingMapTest {
    private static final Duration LONG = Duration.ofSeconds(60);

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
}
