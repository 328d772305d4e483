package org.gradwire.runtime.member;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The workers of a group by name and by id, including lost ones. A member is first met: its
 * requests are accepted; then connected: it can be called. Thread-safe.
 */
public final class Members {
    private final WorkerInfo self;
    private final MemberEvents events;
    private final Map<String, WorkerInfo> byName = new ConcurrentHashMap<>();
    private final Map<Integer, WorkerInfo> byId = new ConcurrentHashMap<>();
    private final Map<Integer, WorkerInfo> met = new ConcurrentHashMap<>();
    private final Map<Integer, WorkerInfo> byIdIncludingLost = new ConcurrentHashMap<>();
    private final Map<Integer, Long> places = new ConcurrentHashMap<>();
    private final Map<Integer, RpcException> lost = new ConcurrentHashMap<>();

    public Members(WorkerInfo self) {
        this.self = self;
        events = new MemberEvents(self);
    }

    /** {@return the view of the group, and the listeners of its changes} */
    public MemberEvents events() {
        return events;
    }

    /** Set the members of a static group, all connected. */
    public void set(List<WorkerInfo> members) {
        members.forEach(member -> meet(member, 0));
        connected(members);
    }

    /**
     * Add a member that cannot be called yet, and forget a lost one with its id.
     *
     * @param place the place where it joined; 0 in a static group
     */
    public synchronized void meet(WorkerInfo member, long place) {
        places.put(member.id(), place);
        lost.remove(member.id());
        byIdIncludingLost.put(member.id(), member);
        met.put(member.id(), member);
    }

    /** Mark workers as connected, unless they have left meanwhile. */
    public synchronized void connected(List<WorkerInfo> members) {
        for (WorkerInfo member : members) {
            if (member.equals(met.get(member.id()))) {
                byName.put(member.name(), member);
                byId.put(member.id(), member);
            }
        }
    }

    /** Remove a member. */
    public synchronized void remove(String name) {
        met.values().removeIf(member -> member.name().equals(name));
        WorkerInfo member = byName.remove(name);
        if (member != null) {
            byId.remove(member.id(), member);
        }
    }

    /** {@return the latest worker with an id, member or not} */
    public WorkerInfo byIdIncludingLost(int id) {
        WorkerInfo worker = byIdIncludingLost.get(id);
        return worker == null ? byId(id) : worker;
    }

    /** {@return the latest worker of an id, member or not; null when this one has met none} */
    public @Nullable WorkerInfo find(int id) {
        return byIdIncludingLost.get(id);
    }

    /** {@return the place where the latest worker with an id joined} */
    public long place(int id) {
        return places.getOrDefault(id, 0L);
    }

    public WorkerInfo self() {
        return self;
    }

    /**
     * Return the member with a name.
     *
     * @throws RpcException if there is none
     */
    public WorkerInfo byName(String name) {
        WorkerInfo member = byName.get(name);
        if (member == null) {
            throw new RpcException(
                    "name:%s,rank:%d could not find destination name %s; the group has %s"
                            .formatted(self.name(), self.id(), name, all()));
        }
        return member;
    }

    /**
     * Return the member with an id.
     *
     * @throws RpcException if there is none
     */
    public WorkerInfo byId(int id) {
        WorkerInfo member = byId.get(id);
        if (member == null) {
            throw new RpcException(
                    "name:%s,rank:%d could not find destination id %d; the group has %s"
                            .formatted(self.name(), self.id(), id, all()));
        }
        return member;
    }

    /** {@return the name of a worker, or its id if this worker has not met it yet} */
    public String name(int id) {
        WorkerInfo member = byIdIncludingLost.get(id);
        return member == null ? Integer.toString(id) : member.name();
    }

    /** {@return the members that can be called} */
    public List<WorkerInfo> all() {
        return sorted(byId);
    }

    /** {@return the members, connected or not} */
    public List<WorkerInfo> met() {
        return sorted(met);
    }

    private static List<WorkerInfo> sorted(Map<Integer, WorkerInfo> members) {
        return members.values().stream().sorted(Comparator.comparingInt(WorkerInfo::id)).toList();
    }

    /** Mark a worker as lost; {@return false if it was already lost} */
    public boolean markLost(int id, RpcException reason) {
        return lost.putIfAbsent(id, reason) == null;
    }

    public boolean isLost(int id) {
        return lost.containsKey(id);
    }

    /** {@return the reasons of lost workers, by id} */
    public Map<Integer, RpcException> lost() {
        return lost;
    }
}
