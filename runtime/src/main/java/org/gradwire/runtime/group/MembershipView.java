package org.gradwire.runtime.group;

import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.GroupView.MemberEvent;
import org.gradwire.rpc.GroupView.MemberEvent.Kind;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.group.MembershipChange.Join;
import org.gradwire.runtime.group.MembershipChange.Leave;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;

/** The members after a number of changes. Not thread-safe. */
final class MembershipView {
    private final TreeMap<Long, WorkerInfo> members = new TreeMap<>(); // by place
    private final Set<String> seen = new HashSet<>(); // names of members, present or not
    private final Set<WorkerInfo> left = new HashSet<>(); // by their own announcement
    private long applied;

    /** {@return the number of applied changes} */
    long applied() {
        return applied;
    }

    /**
     * Apply the next change. The leave of a member is void if its author has left: a worker that
     * the others have lost also loses them.
     *
     * @return the workers that left or joined, in this order; empty if none did
     */
    List<MemberEvent> apply(MembershipChange change) {
        applied++;
        List<MemberEvent> events = new ArrayList<>();
        switch (change) {
            case Join join -> {
                if (join.worker().equals(members.get(join.replaced()))) {
                    events.add(remove(join.replaced(), Kind.LOST));
                }
                events.add(add(join.worker()));
            }
            case Leave leave -> {
                if (members.containsKey(leave.author()) && members.containsKey(leave.joined())) {
                    boolean isOwn = leave.author() == leave.joined();
                    events.add(remove(leave.joined(), isOwn ? Kind.LEFT : Kind.LOST));
                }
            }
            case MembershipChange.Fail fail -> {
                if (members.containsKey(fail.joined())) {
                    events.add(remove(fail.joined(), Kind.LOST));
                }
            }
            case MembershipChange.Gap _ -> {}
        }
        return events;
    }

    private MemberEvent add(WorkerInfo worker) {
        members.put(applied, worker);
        left.removeIf(gone -> gone.name().equals(worker.name()));
        Kind kind = seen.add(worker.name()) ? Kind.JOINED : Kind.RETURNED;
        return new MemberEvent(kind, worker, applied, current());
    }

    private MemberEvent remove(long place, Kind kind) {
        WorkerInfo gone = members.remove(place);
        if (gone == null) {
            throw new IllegalStateException("no member joined at place " + place);
        }
        if (kind == Kind.LEFT) {
            left.add(gone);
        }
        return new MemberEvent(kind, gone, place, current());
    }

    GroupView current() {
        return new GroupView(applied, members(), left);
    }

    /** {@return the place where the member with the name and id of a worker joined; 0 for none} */
    long place(WorkerInfo worker) {
        return members.entrySet().stream()
                .filter(member -> member.getValue().equals(worker))
                .mapToLong(member -> member.getKey())
                .findFirst()
                .orElse(0);
    }

    List<WorkerInfo> members() {
        return List.copyOf(members.values());
    }

    /** Call an action with each member and its place. */
    void forEach(ObjLongConsumer<WorkerInfo> action) {
        members.forEach((place, member) -> action.accept(member, place));
    }
}
