package org.gradwire.runtime;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The workers of a group, by name and by id, and which of them are lost. A worker is met before it
 * is connected, so that its requests are understood; only a connected one can be called.
 */
final class Members {
    private final WorkerInfo self;
    private final Map<String, WorkerInfo> byName = new ConcurrentHashMap<>();
    private final Map<Integer, WorkerInfo> byId = new ConcurrentHashMap<>();
    private final Map<Integer, WorkerInfo> met = new ConcurrentHashMap<>();
    private final Map<Integer, WorkerInfo> everKnown = new ConcurrentHashMap<>();
    private final Map<Integer, Long> places = new ConcurrentHashMap<>();
    private final Map<Integer, RpcException> lost = new ConcurrentHashMap<>();

    Members(WorkerInfo self) {
        this.self = self;
    }

    void set(List<WorkerInfo> members) {
        members.forEach(member -> meet(member, 0));
        connected(members);
    }

    /**
     * A worker is a member, but cannot be called yet; one of its id that was lost is forgotten.
     *
     * @param place where it joined; 0 in a group that nobody joins later
     */
    synchronized void meet(WorkerInfo member, long place) {
        places.put(member.id(), place);
        lost.remove(member.id());
        everKnown.put(member.id(), member);
        met.put(member.id(), member);
    }

    /** Workers can be called from now on, unless they are no members any more. */
    synchronized void connected(List<WorkerInfo> members) {
        for (WorkerInfo member : members) {
            if (member.equals(met.get(member.id()))) {
                byName.put(member.name(), member);
                byId.put(member.id(), member);
            }
        }
    }

    /** A worker is no member any more. */
    synchronized void remove(String name) {
        met.values().removeIf(member -> member.name().equals(name));
        WorkerInfo member = byName.remove(name);
        if (member != null) {
            byId.remove(member.id(), member);
        }
    }

    /** {@return who had an id last, member or not} */
    WorkerInfo everKnown(int id) {
        WorkerInfo worker = everKnown.get(id);
        return worker == null ? byId(id) : worker;
    }

    /** {@return where the last worker of an id joined} */
    long place(int id) {
        return places.getOrDefault(id, 0L);
    }

    WorkerInfo self() {
        return self;
    }

    WorkerInfo byName(String name) {
        WorkerInfo member = byName.get(name);
        if (member == null) {
            throw new RpcException(
                    "name:%s,rank:%d could not find destination name %s; the group has %s"
                            .formatted(self.name(), self.id(), name, all()));
        }
        return member;
    }

    WorkerInfo byId(int id) {
        WorkerInfo member = byId.get(id);
        if (member == null) {
            throw new RpcException(
                    "name:%s,rank:%d could not find destination id %d; the group has %s"
                            .formatted(self.name(), self.id(), id, all()));
        }
        return member;
    }

    WorkerInfo require(WorkerInfo info) {
        if (!info.equals(byId.get(info.id()))) {
            throw new RpcException(
                    "%s is no member of this group; it has %s".formatted(info, all()));
        }
        return info;
    }

    /** {@return the name of a worker, or its id when this worker has not met it yet} */
    String name(int id) {
        WorkerInfo member = everKnown.get(id);
        return member == null ? Integer.toString(id) : member.name();
    }

    /** {@return the members that can be called} */
    List<WorkerInfo> all() {
        return sorted(byId);
    }

    /** {@return the members, connected or not} */
    List<WorkerInfo> met() {
        return sorted(met);
    }

    private static List<WorkerInfo> sorted(Map<Integer, WorkerInfo> members) {
        return members.values().stream().sorted(Comparator.comparingInt(WorkerInfo::id)).toList();
    }

    boolean markLost(int id, RpcException reason) {
        return lost.putIfAbsent(id, reason) == null;
    }

    boolean isLost(WorkerInfo member) {
        return lost.containsKey(member.id());
    }

    Map<Integer, RpcException> lost() {
        return lost;
    }
}
