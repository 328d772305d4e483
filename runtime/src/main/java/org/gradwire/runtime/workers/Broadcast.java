package org.gradwire.runtime.workers;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerGroup;
import org.gradwire.rpc.WorkerGroup.Results;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Sends a value to workers over a tree. A sender splits its workers into up to {@value #CHILDREN}
 * subtrees of equal size, and sends the value to the first worker of each, which sends it to the
 * others of its subtree in the same way.
 */
final class Broadcast {
    /**
     * Receivers of each sender. The receivers of a large value share the network of its sender, so
     * all of them have it late if they are many, and a tree of few has many levels.
     */
    private static final int CHILDREN = 4;

    private Broadcast() {}

    /**
     * A value and its way.
     *
     * @param senders ids of the workers that sent it before this one, the first sender first
     * @param timeout of each call; zero means none
     */
    record Message<T extends @Nullable Object>(T value, List<Integer> senders, Duration timeout) {}

    /** Split workers into subtrees, each with its first worker first. */
    static List<List<String>> subtrees(List<String> workers) {
        List<List<String>> subtrees = new ArrayList<>();
        int size = workers.size();
        int count = Math.min(CHILDREN, size);
        for (int i = 0; i < count; i++) {
            subtrees.add(List.copyOf(workers.subList(i * size / count, (i + 1) * size / count)));
        }
        return subtrees;
    }

    /**
     * Send a value to the first worker of each subtree, and wait until all workers have it.
     *
     * @param group returns the group of workers with names
     * @return a reference to each worker's copy, by its name, in the order of the subtrees
     * @throws WorkerGroup.MembersFailedException if a worker failed; no reference is left
     */
    static <T extends @Nullable Object> Map<String, RRef<T>> send(
            Message<T> message,
            List<List<String>> subtrees,
            Function<List<String>, WorkerGroup> group) {
        Map<String, RRef<T>> made = new LinkedHashMap<>();
        if (subtrees.isEmpty()) {
            return made;
        }
        Map<String, List<String>> byHead = new LinkedHashMap<>();
        subtrees.forEach(subtree -> byHead.put(subtree.getFirst(), subtree));
        WorkerGroup heads = group.apply(List.copyOf(byHead.keySet()));
        Results<List<RRef<@Nullable Object>>> results =
                heads.callAll(i ->
                        Call.to(
                                BroadcastOperators::broadcast,
                                Objects.requireNonNull(byHead.get(heads.get(i).name())),
                                message.value,
                                message.senders,
                                message.timeout.toNanos()));
        List<RRef<T>> references = referencesOf(results);
        try {
            byHead.forEach((head, subtree) -> addAll(head, subtree, results.get(head), made));
        } catch (RpcException wrong) {
            references.forEach(RRef::close);
            throw wrong;
        }
        return made;
    }

    @SuppressWarnings("unchecked") // references to copies of the value
    private static <T extends @Nullable Object> List<RRef<T>> referencesOf(
            Results<List<RRef<@Nullable Object>>> results) {
        List<RRef<T>> references = new ArrayList<>();
        for (List<?> each : results.values()) {
            for (Object one : each) {
                if (one instanceof RRef<?> reference) {
                    references.add((RRef<T>) reference);
                }
            }
        }
        return references;
    }

    /**
     * Add the references that a worker returned, after a check that they are those of its subtree.
     */
    @SuppressWarnings("unchecked") // references to copies of the value
    private static <T extends @Nullable Object> void addAll(
            String head, List<String> subtree, List<?> returned, Map<String, RRef<T>> made) {
        List<String> owners = new ArrayList<>();
        for (Object one : returned) {
            if (one instanceof RRef<?> reference) {
                owners.add(reference.owner().name());
                made.put(reference.owner().name(), (RRef<T>) reference);
            }
        }
        if (returned.size() != subtree.size() || !owners.equals(subtree)) {
            throw new RpcException(
                    RpcErrorKind.UNDECODABLE,
                    "worker %s passed a value on to %s, but returned references of %s"
                            .formatted(head, subtree, UntrustedText.quote(owners.toString())));
        }
    }
}
