package org.gradwire.collective;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Worker;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The groups of a worker, and the parts for groups that it has not made yet. Those end when it
 * makes the group, or the sender's group breaks, or the sender is lost; a sender may have {@link
 * #MAX_EARLY} of them. Thread-safe.
 */
final class Groups {
    private static final int MAX_EARLY = 4_096;
    private static final int REMEMBERED = 1_000;

    private final Worker worker;
    private final PartSender notices;
    private final Map<Long, GroupState> groups = new ConcurrentHashMap<>();
    private final Map<Long, List<Part>> early = new HashMap<>(); // this and the rest: under a lock
    private final Map<Integer, Integer> earlyBySender = new HashMap<>();
    private final Map<List<Object>, Integer> counts = new HashMap<>();
    private final Map<Long, Failure> closed = new Remembered<>();
    private final Set<SentGroup> ended = Collections.newSetFromMap(new Remembered<>());

    /** The last entries. */
    private static final class Remembered<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > REMEMBERED;
        }
    }

    /** A group that this worker has not made, as a member knows it. */
    private record SentGroup(int from, long group) {}

    Groups(Worker worker) {
        this.worker = worker;
        this.notices = new PartSender(worker, null);
    }

    /** Make a group. */
    GroupState make(String name, WorkerInfo[] workers, int rank, PartSender sender) {
        GroupState group;
        List<Part> parts;
        synchronized (this) {
            List<Object> key = new ArrayList<>(List.of(name));
            key.addAll(List.of(workers));
            int count = counts.merge(key, 1, Integer::sum);
            Members members = Members.of(GroupId.of(name, count, workers), workers, rank);
            group = new GroupState(worker, members, sender);
            groups.put(members.digest(), group);
            parts = removeEarly(members.digest());
        }
        parts.forEach(part -> deliver(group, part));
        return group;
    }

    private static void deliver(GroupState group, Part part) {
        try {
            group.onPart(part);
        } catch (RpcException e) {
            part.request().fail(e);
        }
    }

    private List<Part> removeEarly(long digest) {
        List<Part> parts = early.remove(digest);
        if (parts == null) {
            return List.of();
        }
        parts.forEach(this::uncount);
        return parts;
    }

    private void uncount(Part part) {
        earlyBySender.computeIfPresent(part.from(), (_, n) -> n == 1 ? null : n - 1);
    }

    /** Add a part that arrived. */
    void onPart(Part part) {
        GroupState group = groups.get(part.group());
        if (group == null) {
            group = keepUnlessMade(part);
        }
        GroupId identity = part.identity();
        if (group != null) {
            group.onPart(part);
        } else if (identity != null) {
            refuseOther(part, identity);
        }
    }

    /** Keep a part for a group that this worker has not made; return the group if it has. */
    private synchronized @Nullable GroupState keepUnlessMade(Part part) {
        GroupState group = groups.get(part.group());
        if (group != null) {
            return group;
        }
        Failure end = closed.get(part.group());
        if (end != null) { // the sender was notified, perhaps before it made the group
            notices.notify(part.from(), part.group(), end);
            part.acknowledge();
            return null;
        }
        if (ended.contains(new SentGroup(part.from(), part.group()))) {
            part.acknowledge(); // it came after the end of its group
            return null;
        }
        if (earlyBySender.merge(part.from(), 1, Integer::sum) > MAX_EARLY) {
            uncount(part);
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "worker %d sent more than %d messages for groups that %s has not made"
                            .formatted(part.from(), MAX_EARLY, worker.self().name()));
        }
        early.computeIfAbsent(part.group(), _ -> new ArrayList<>()).add(part);
        return null;
    }

    /** Fail a group of this worker if a member has made it with other members. */
    private void refuseOther(Part part, GroupId theirs) {
        for (GroupState group : groups.values()) {
            Members members = group.members();
            GroupId ours = members.identity();
            if (ours.name().equals(theirs.name())
                    && ours.count() == theirs.count()
                    && !ours.hasSameMembers(theirs)
                    && members.has(part.from())
                    && group.broken() == null) {
                Failure failure = Failure.mismatch(text(members, part.from(), theirs));
                group.fail(failure);
                notices.notify(part.from(), part.group(), failure);
                dropEarly(early -> early.group() == part.group());
            }
        }
    }

    private String text(Members members, int from, GroupId theirs) {
        return "the members of the group %s are the workers %s on %s, but %s on %s; make it with the same members in the same order"
                .formatted(
                        members.identity().name(),
                        members.identity().membersText(),
                        members.self(),
                        theirs.membersText(),
                        members.name(members.rankOf(from)));
    }

    /**
     * Break a group because a member has, or note that the member has closed it.
     *
     * @throws RpcException if it is not a member
     */
    void onEnd(int from, long digest, Failure end) {
        GroupState group = groups.get(digest);
        if (group == null) {
            if (end.cause() != Failure.Cause.CLOSED) {
                synchronized (this) {
                    ended.add(new SentGroup(from, digest));
                }
                dropEarly(part -> part.group() == digest && part.from() == from);
            } // otherwise its parts stay until this worker makes the group
            return;
        }
        int rank = group.members().rankOf(from);
        if (end.cause() == Failure.Cause.CLOSED) {
            group.onClosed(rank);
        } else {
            var _ = group.breakHere(end);
        }
    }

    /** Break the groups of a lost worker. */
    void onPeerLost(int peer, RpcException reason) {
        synchronized (this) {
            ended.removeIf(group -> group.from == peer); // a successor has other groups
        }
        dropEarly(part -> part.from() == peer);
        for (GroupState group : groups.values()) {
            Members members = group.members();
            if (members.has(peer)) {
                group.fail(
                        Failure.of(
                                RpcErrorKind.CONNECTION,
                                "the group %s has lost %s: %s"
                                        .formatted(
                                                members.identity().name(),
                                                members.name(members.rankOf(peer)),
                                                reason.getMessage())));
            }
        }
    }

    private void dropEarly(Predicate<Part> which) {
        List<Part> dropped = new ArrayList<>();
        synchronized (this) {
            early.values()
                    .forEach(parts ->
                            parts.removeIf(part -> {
                                boolean drop = which.test(part);
                                if (drop) {
                                    dropped.add(part);
                                    uncount(part);
                                }
                                return drop;
                            }));
            early.values().removeIf(List::isEmpty);
        }
        dropped.forEach(Part::acknowledge);
    }

    /** Forget a group that this worker has closed. */
    synchronized void remove(GroupState group) {
        groups.remove(group.members().digest(), group);
        Failure end = group.broken();
        if (end != null) {
            closed.put(group.members().digest(), end);
        }
    }

    /** {@return the number of groups of this worker} */
    int size() {
        return groups.size();
    }

    /** {@return the number of parts for groups that this worker has not made} */
    synchronized int earlyParts() {
        return earlyBySender.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Break all groups when the worker has stopped. */
    void stop() {
        Failure stopped =
                Failure.of(RpcErrorKind.SHUTDOWN, worker.self().name() + " was shut down");
        groups.values().forEach(group -> group.breakHere(stopped));
        dropEarly(_ -> true);
    }
}
