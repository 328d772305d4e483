package org.gradwire.conformance.stores;

import static org.gradwire.conformance.stores.StoreWorld.check;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Store;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;

/** Rules about values. */
final class ValueRules {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final int SIZE_STEP = 7;

    /** Keys that encodings confuse: blanks, separators, a zero, two forms of one letter, halves. */
    private static final List<String> KEYS =
            List.of(
                    "",
                    " ",
                    "/",
                    "a",
                    "a/",
                    "a/b",
                    "\0",
                    "a\0",
                    "name\nwith\tblanks",
                    "\u00e9",
                    "e\u0301",
                    "\uD83D\uDE00",
                    "\uD83D",
                    "\uDE00",
                    "k".repeat(Store.MAX_KEY_LENGTH));

    static final List<StoreRule> ALL =
            List.of(
                    new StoreRule(
                            "STORE-1",
                            "MUST return the bytes that were set last for exactly this key, to every client.",
                            ValueRules::keepsValues),
                    new StoreRule(
                            "STORE-2",
                            "MUST let get wait until the key exists, and fail with an RpcTimeoutException that names the key, not before the timeout.",
                            ValueRules::waits));

    private ValueRules() {}

    private static void keepsValues(StoreWorld world) {
        Store first = world.first();
        Store second = world.another();
        Map<String, byte[]> expected = new LinkedHashMap<>();
        int size = 0;
        for (String key : KEYS) {
            byte[] value = new byte[size];
            world.random().nextBytes(value);
            first.set(key, new byte[] {1});
            first.set(key, value);
            expected.put(key, value.clone());
            Arrays.fill(value, (byte) 0); // the store has a copy
            size = Math.min(size * SIZE_STEP + 1, Store.MAX_VALUE_BYTES);
        }
        for (Store client : List.of(first, second)) {
            expected.forEach((key, value) -> {
                byte[] found = client.get(key, world.patience());
                check(
                        Arrays.equals(value, found),
                        "a value of %d bytes of the key of %d characters was returned as another one of %d bytes",
                        value.length,
                        key.length(),
                        found.length);
                Arrays.fill(found, (byte) 0);
            });
        }
    }

    private static void waits(StoreWorld world) {
        Store first = world.first();
        Store second = world.another();
        Future<byte[]> waiting = world.start(() -> second.get("late", world.patience()));
        long start = System.nanoTime();
        try {
            first.get("never", SHORT);
            throw new AssertionError("get returned a value of a key that does not exist");
        } catch (RpcTimeoutException e) {
            check(
                    System.nanoTime() - start >= SHORT.toNanos(),
                    "get failed before its timeout had passed");
            check(
                    String.valueOf(e.getMessage()).contains("never"),
                    "the failure of get does not name the key: %s",
                    e.getMessage());
        }
        check(!waiting.isDone(), "get ended before the key was set");
        first.set("late", "value".getBytes(US_ASCII));
        String found = new String(world.end(waiting, "a get of a key that was set"), US_ASCII);
        check(found.equals("value"), "get returned '%s' instead of 'value'", found);
    }
}
