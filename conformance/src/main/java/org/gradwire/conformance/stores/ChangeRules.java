package org.gradwire.conformance.stores;

import static org.gradwire.conformance.stores.StoreWorld.check;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Store;
import org.gradwire.spi.StoreCapability;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Future;

/** Rules about changes by several clients. */
final class ChangeRules {
    private static final int CLIENTS = 3;
    private static final int THREADS = 2; // of each client
    private static final int CHANGES = 15; // of each thread
    private static final int VALUES = 40;
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration PROMPT = Duration.ofSeconds(5);

    static final List<StoreRule> ALL =
            List.of(
                    new StoreRule(
                            "STORE-3",
                            "MUST make each add take effect once, and return a different sum to each of several threads and clients.",
                            ChangeRules::addsAtomically),
                    new StoreRule(
                            "STORE-4",
                            "MUST let one of several compareAndSet of the same expected value succeed, also where the key does not exist.",
                            ChangeRules::comparesAtomically,
                            StoreCapability.COMPARE_AND_SET),
                    new StoreRule(
                            "STORE-5",
                            "MUST let watch return when the value differs from the seen one, and never miss the last value.",
                            ChangeRules::watches,
                            StoreCapability.WATCH));

    private ChangeRules() {}

    private static List<Store> clients(StoreWorld world) {
        List<Store> clients = new ArrayList<>(List.of(world.first()));
        while (clients.size() < CLIENTS) {
            clients.add(world.another());
        }
        return clients;
    }

    private static void addsAtomically(StoreWorld world) {
        Set<Long> sums = new ConcurrentSkipListSet<>();
        List<Future<Void>> adding = new ArrayList<>();
        for (Store client : clients(world)) {
            for (int thread = 0; thread < THREADS; thread++) {
                adding.add(
                        world.start(() -> {
                            for (int i = 0; i < CHANGES; i++) {
                                sums.add(client.add("sum", 1));
                            }
                            return null;
                        }));
            }
        }
        adding.forEach(task -> world.end(task, "a series of additions"));
        int expected = CLIENTS * THREADS * CHANGES;
        check(
                sums.size() == expected,
                "%d additions returned %d different sums",
                expected,
                sums.size());
        String text = text(world.first().get("sum", Duration.ZERO));
        check(
                text.equals(Integer.toString(expected)),
                "the sum of %d additions of 1 reads '%s'",
                expected,
                text);
        world.first().set("text", "x".getBytes(US_ASCII));
        try {
            world.first().add("text", 1);
            throw new AssertionError("add to a text succeeded");
        } catch (RpcException _) {
            check(
                    text(world.first().get("text", Duration.ZERO)).equals("x"),
                    "an add that failed changed the value");
        }
    }

    private static void comparesAtomically(StoreWorld world) {
        List<Future<Integer>> changing = new ArrayList<>();
        for (Store client : clients(world)) {
            for (int thread = 0; thread < THREADS; thread++) {
                changing.add(world.start(() -> increments(client)));
            }
        }
        int made = 0;
        for (Future<Integer> task : changing) {
            made += world.end(task, "a series of compareAndSet");
        }
        String text = text(world.first().get("number", Duration.ZERO));
        check(
                text.equals(Integer.toString(made)),
                "%d increments by compareAndSet succeeded, and the number is '%s'",
                made,
                text);
        check(
                !world.first().compareAndSet("number", null, bytes(0)),
                "compareAndSet of a key that exists succeeded as if it did not");
        check(
                !world.first().compareAndSet("missing", bytes(0), bytes(1)),
                "compareAndSet of a key that does not exist succeeded");
    }

    /** {@return the number of increments that succeeded} */
    private static int increments(Store client) {
        int made = 0;
        for (int i = 0; i < CHANGES; i++) {
            byte[] seen = find(client, "number");
            int next = seen == null ? 1 : Integer.parseInt(text(seen)) + 1;
            made += client.compareAndSet("number", seen, bytes(next)) ? 1 : 0;
        }
        return made;
    }

    private static byte @Nullable [] find(Store client, String key) {
        try {
            return client.get(key, Duration.ZERO);
        } catch (RpcTimeoutException _) {
            return null;
        }
    }

    private static void watches(StoreWorld world) {
        Store writer = world.first();
        Store watcher = world.another();
        Future<Void> writing =
                world.start(() -> {
                    for (int i = 1; i <= VALUES; i++) {
                        writer.set("number", bytes(i));
                    }
                    return null;
                });
        Future<Void> watching =
                world.start(() -> {
                    watchUntil(watcher, VALUES, world.patience());
                    return null;
                });
        world.end(writing, "a series of set");
        world.end(watching, "watches until the last value");
        returnsAnEarlierChange(watcher, bytes(VALUES - 1));
        returnsAnEarlierChange(watcher, null);
        try {
            watcher.watch("number", bytes(VALUES), SHORT);
            throw new AssertionError("watch returned although the value is the one that was seen");
        } catch (RpcTimeoutException e) {
            check(
                    String.valueOf(e.getMessage()).contains("number"),
                    "the failure of watch does not name the key: %s",
                    e.getMessage());
        }
    }

    private static void returnsAnEarlierChange(Store watcher, byte @Nullable [] seen) {
        try {
            byte[] value = watcher.watch("number", seen, PROMPT);
            check(
                    value != null && text(value).equals(Integer.toString(VALUES)),
                    "watch did not return the present value");
        } catch (RpcTimeoutException _) {
            throw new AssertionError(
                    "watch waits, although the value has changed since the one that was seen");
        }
    }

    private static void watchUntil(Store watcher, int last, Duration patience) {
        byte[] seen = null;
        int number = 0;
        while (number < last) {
            seen = watcher.watch("number", seen, patience);
            int next = seen == null ? -1 : Integer.parseInt(text(seen));
            check(next > number, "watch returned %d after %d", next, number);
            number = next;
        }
    }

    private static byte[] bytes(int number) {
        return Integer.toString(number).getBytes(US_ASCII);
    }

    private static String text(byte[] value) {
        return new String(value, US_ASCII);
    }
}
