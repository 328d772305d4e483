package org.gradwire.runtime.group;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.group.MembershipChange.Join;
import org.gradwire.runtime.group.MembershipChange.Leave;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;

/** The members after a number of changes. Not thread-safe. */
final class MembershipView {
    private final TreeMap<Long, WorkerInfo> members = new TreeMap<>(); // by place
    private long applied;

    /** {@return the number of applied changes} */
    long applied() {
        return applied;
    }

    /**
     * Apply the next change. The leave of a member is void if its author has left: a worker that
     * the others have lost also loses them.
     *
     * @return the worker that joined or left; null if none did
     */
    @Nullable WorkerInfo apply(MembershipChange change) {
        applied++;
        return switch (change) {
            case Join join -> {
                members.put(applied, join.worker());
                yield join.worker();
            }
            case Leave leave ->
                    members.containsKey(leave.author()) ? members.remove(leave.joined()) : null;
            case MembershipChange.Gap _ -> null;
        };
    }

    List<WorkerInfo> members() {
        return List.copyOf(members.values());
    }

    /** Call an action with each member and its place. */
    void forEach(ObjLongConsumer<WorkerInfo> action) {
        members.forEach((place, member) -> action.accept(member, place));
    }
}
