package org.gradwire.store.etcd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A transaction of etcd: if all conditions hold it makes the changes, else it reads keys. Not
 * thread-safe.
 */
final class Txn {
    private final List<Map<String, ?>> conditions = new ArrayList<>();
    private final List<Map<String, ?>> changes = new ArrayList<>();
    private final List<Map<String, ?>> reads = new ArrayList<>();

    /** Require the revision that changed a key last; 0: the key does not exist. */
    Txn ifRevision(byte[] key, long revision) {
        return condition(key, "MOD", "EQUAL", "mod_revision", Long.toString(revision));
    }

    Txn ifAbsent(byte[] key) {
        return condition(key, "CREATE", "EQUAL", "create_revision", "0");
    }

    Txn ifPresent(byte[] key) {
        return condition(key, "CREATE", "GREATER", "create_revision", "0");
    }

    Txn ifValue(byte[] key, byte[] value) {
        return condition(key, "VALUE", "EQUAL", "value", Json.base64(value));
    }

    /** Require that no key begins with a prefix. */
    Txn ifNoneBelow(byte[] prefix) {
        ifAbsent(prefix);
        Map<String, Object> range = new LinkedHashMap<>(conditions.removeLast());
        range.put("range_end", Json.base64(after(prefix)));
        conditions.add(range);
        return this;
    }

    private Txn condition(byte[] key, String target, String result, String name, String value) {
        conditions.add(
                Map.of("key", Json.base64(key), "target", target, "result", result, name, value));
        return this;
    }

    Txn put(byte[] key, byte[] value, long lease) {
        changes.add(
                Map.of(
                        "request_put",
                        Map.of(
                                "key",
                                Json.base64(key),
                                "value",
                                Json.base64(value),
                                "lease",
                                Long.toString(lease))));
        return this;
    }

    /** Write the value of a key that exists, which keeps its lease. */
    Txn update(byte[] key, byte[] value) {
        changes.add(
                Map.of(
                        "request_put",
                        Map.of(
                                "key",
                                Json.base64(key),
                                "value",
                                Json.base64(value),
                                "ignore_lease",
                                true)));
        return this;
    }

    /** Write a value: of a key that exists as {@link #update}, of another one with a lease. */
    Txn putOrUpdate(byte[] key, byte[] value, long lease) {
        Map<String, Object> inner =
                new LinkedHashMap<>(new Txn().ifPresent(key).update(key, value).body());
        inner.put("failure", new Txn().put(key, value, lease).changes);
        changes.add(Map.of("request_txn", inner));
        return this;
    }

    Txn deleteBelow(byte[] prefix) {
        changes.add(
                Map.of(
                        "request_delete_range",
                        Map.of(
                                "key",
                                Json.base64(prefix),
                                "range_end",
                                Json.base64(after(prefix)))));
        return this;
    }

    /** Delete a key if it has a value. */
    Txn deleteIfValue(byte[] key, byte[] value) {
        var inner = new Txn().ifValue(key, value);
        inner.changes.add(Map.of("request_delete_range", Map.of("key", Json.base64(key))));
        changes.add(Map.of("request_txn", inner.body()));
        return this;
    }

    /** Read a key if the conditions do not hold. */
    Txn elseRead(byte[] key) {
        reads.add(Map.of("request_range", Map.of("key", Json.base64(key))));
        return this;
    }

    Map<String, ?> body() {
        return Map.of("compare", conditions, "success", changes, "failure", reads);
    }

    static Map<String, ?> range(byte[] key) {
        return Map.of("key", Json.base64(key));
    }

    static Map<String, ?> rangeBelow(byte[] prefix) {
        return Map.of("key", Json.base64(prefix), "range_end", Json.base64(after(prefix)));
    }

    /** {@return the first key after all that begin with a prefix, which ends with a slash} */
    private static byte[] after(byte[] prefix) {
        byte[] after = Arrays.copyOf(prefix, prefix.length);
        after[after.length - 1]++;
        return after;
    }
}
