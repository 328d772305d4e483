package org.gradwire.conformance.stores;

import static org.gradwire.conformance.stores.StoreWorld.check;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Store;
import org.gradwire.spi.StoreCapability;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;

/** Rules about limits, the end of waits and addresses. */
final class LimitRules {
    private static final byte[] VALUE = {1};
    private static final Duration SHORT = Duration.ofMillis(20);

    static final List<StoreRule> ALL =
            List.of(
                    new StoreRule(
                            "STORE-9",
                            "MUST accept keys, values and times to live up to their limits, and refuse others with an IllegalArgumentException that changes nothing.",
                            LimitRules::hasLimits,
                            StoreCapability.COMPARE_AND_SET,
                            StoreCapability.LEASE),
                    new StoreRule(
                            "STORE-10",
                            "MUST end the waits of a client with an RpcException when it closes the store, and keep its entries for the others.",
                            LimitRules::closeEndsWaits,
                            StoreCapability.WATCH),
                    new StoreRule(
                            "STORE-11",
                            "MUST end a wait with an RpcException when its thread is interrupted, which stays interrupted.",
                            LimitRules::canBeInterrupted),
                    new StoreRule(
                            "STORE-12",
                            "MUST refuse a malformed address with an RpcConfigurationException that has the right form and no password, and have settings below gradwire.SCHEME. only.",
                            LimitRules::refusesAddresses));

    private LimitRules() {}

    private static void hasLimits(StoreWorld world) {
        Store store = world.first();
        String longest = "k".repeat(Store.MAX_KEY_LENGTH);
        byte[] largest = new byte[Store.MAX_VALUE_BYTES];
        world.random().nextBytes(largest);
        store.set(longest, largest);
        check(
                store.compareAndSet(longest, largest, largest)
                        && Arrays.equals(largest, store.get(longest, Duration.ZERO)),
                "a value at the limit was not kept");
        byte[] larger = Arrays.copyOf(largest, largest.length + 1);
        refused("a key that is too long", () -> store.set(longest + "k", VALUE));
        refused("a key that is too long", () -> store.add(longest + "k", 1));
        refused("a key that is too long", () -> store.get(longest + "k", Duration.ZERO));
        refused("a value that is too large", () -> store.set("key", larger));
        refused("a value that is too large", () -> store.compareAndSet("key", null, larger));
        refused("a value that is too large", () -> store.acquire("key", larger, Store.MIN_LEASE));
        refused("a lease that is too short", () -> lease(store, Store.MIN_LEASE.minusMillis(1)));
        refused("a lease that is too long", () -> lease(store, Store.MAX_LEASE.plusSeconds(1)));
        try {
            store.get("key", Duration.ZERO);
            throw new AssertionError("a refused operation wrote the key");
        } catch (RpcTimeoutException _) {
            // as it must be
        }
    }

    private static void lease(Store store, Duration timeToLive) {
        store.acquire("key", VALUE, timeToLive);
    }

    private static void refused(String what, Runnable operation) {
        try {
            operation.run();
        } catch (IllegalArgumentException _) {
            return;
        }
        throw new AssertionError(what + " was accepted");
    }

    private static void closeEndsWaits(StoreWorld world) {
        Store first = world.first();
        Store second = world.another();
        second.set("key", VALUE);
        Future<Boolean> getting =
                world.start(() -> fails(() -> second.get("never", Duration.ofDays(1))));
        Future<Boolean> watching =
                world.start(() -> fails(() -> second.watch("key", VALUE, Duration.ofDays(1))));
        try {
            second.get("never", SHORT); // long enough for the others to wait, on most machines
            throw new AssertionError("get returned a value of a key that does not exist");
        } catch (RpcTimeoutException _) {
            second.close();
        }
        second.close();
        check(
                world.end(getting, "a get of a client that closed the store"),
                "a get ended with a value when its client closed the store");
        check(
                world.end(watching, "a watch of a client that closed the store"),
                "a watch ended with a value when its client closed the store");
        check(fails(() -> second.add("sum", 1)), "a closed store was changed");
        check(
                Arrays.equals(VALUE, first.get("key", Duration.ZERO)),
                "an entry of a client that closed the store has changed");
    }

    /** {@return whether an operation fails with an exception of the contract} */
    private static boolean fails(Runnable operation) {
        try {
            operation.run();
            return false;
        } catch (RpcException _) {
            return true;
        }
    }

    private static void canBeInterrupted(StoreWorld world) {
        Store store = world.first();
        Future<Boolean> waiting =
                world.start(() -> {
                    Thread.currentThread().interrupt();
                    return fails(() -> store.get("never", world.patience().multipliedBy(2)))
                            && Thread.currentThread().isInterrupted();
                });
        check(
                world.end(waiting, "a get of an interrupted thread"),
                "a get of an interrupted thread did not fail, or cleared the interruption");
        store.set("key", VALUE); // the store can still be used
        check(Arrays.equals(VALUE, store.get("key", Duration.ZERO)), "a value has changed");
    }

    private static void refusesAddresses(StoreWorld world) {
        var provider = world.under().provider();
        for (String scheme : provider.schemes()) {
            check(scheme.matches("[a-z][a-z0-9+.-]*"), "the scheme '%s' is malformed", scheme);
            for (String rest : List.of("", "//user:hunter2@ ", "//:0/ ?")) {
                refusesAddress(world.under(), scheme + ":" + rest);
            }
        }
        for (Setting setting : provider.settings()) {
            check(
                    provider.schemes().stream()
                            .anyMatch(scheme -> setting.key().startsWith("gradwire." + scheme)),
                    "the setting %s is not below gradwire.SCHEME.",
                    setting.key());
        }
    }

    private static void refusesAddress(StoreUnderTest under, String address) {
        try (Store _ = under.open(address, 0)) {
            throw new AssertionError("the malformed address '%s' was opened".formatted(address));
        } catch (RpcConfigurationException e) {
            String text = String.valueOf(e.getMessage());
            check(!text.contains("hunter2"), "an error has the password of the address: %s", text);
        }
    }
}
