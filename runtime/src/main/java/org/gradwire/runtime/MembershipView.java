package org.gradwire.runtime;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.MembershipChange.Join;
import org.gradwire.runtime.MembershipChange.Leave;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;

/** The members after the first so many changes. Guarded by its user. */
final class MembershipView {
    private final TreeMap<Long, WorkerInfo> members = new TreeMap<>(); // by place of joining
    private long applied;

    /** {@return how many changes have been applied} */
    long applied() {
        return applied;
    }

    /**
     * Apply the next change.
     *
     * @return the worker that came or went; null when nobody did
     */
    @Nullable WorkerInfo apply(MembershipChange change) {
        applied++;
        return switch (change) {
            case Join join -> {
                members.put(applied, join.worker());
                yield join.worker();
            }
            case Leave leave -> members.remove(leave.joined());
            case MembershipChange.Gap _ -> null;
        };
    }

    List<WorkerInfo> members() {
        return List.copyOf(members.values());
    }

    /** Do something with each member and the place where it came. */
    void forEach(ObjLongConsumer<WorkerInfo> action) {
        members.forEach((place, member) -> action.accept(member, place));
    }
}
