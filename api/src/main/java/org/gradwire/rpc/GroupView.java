package org.gradwire.rpc;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The members of a group after a number of changes.
 *
 * <p>All members of a dynamic group see the same views, with the same numbers. A static group has
 * one view, with number 0.
 *
 * @param number number of the changes of the membership before and including the last one
 * @param members sorted by id
 * @param left the workers that announced that they leave, and have not returned since; a lost
 *     worker is not among them
 */
public record GroupView(long number, List<WorkerInfo> members, Set<WorkerInfo> left) {

    /** Create a view of members in any order. */
    public GroupView {
        members = members.stream().sorted(Comparator.comparingInt(WorkerInfo::id)).toList();
        left = Set.copyOf(left);
    }

    /** Create a view of members in any order, which none has left. */
    public GroupView(long number, List<WorkerInfo> members) {
        this(number, members, Set.of());
    }

    /** {@return the member with a name; empty if there is none} */
    public Optional<WorkerInfo> member(String name) {
        return members.stream().filter(member -> member.name().equals(name)).findFirst();
    }

    /** {@return the names of the members, in the order of their ids} */
    public List<String> names() {
        return members.stream().map(WorkerInfo::name).toList();
    }

    /**
     * A change of the members of a dynamic group.
     *
     * @param kind the change
     * @param worker the worker that joined or left
     * @param incarnation number of the view in which this process of the worker joined: it
     *     distinguishes successive processes with the same name
     * @param view the members after the change
     */
    public record MemberEvent(Kind kind, WorkerInfo worker, long incarnation, GroupView view) {

        /** Kind of a change. */
        public enum Kind {
            /** A worker joined whose name the group had not seen before. */
            JOINED,
            /** A worker announced that it leaves. */
            LEFT,
            /**
             * A worker ended or became unreachable; calls to it and references to its values fail.
             */
            LOST,
            /** A worker joined with the name of an earlier member. */
            RETURNED;

            /** {@return whether the group has one member less} */
            public boolean isDeparture() {
                return this == LEFT || this == LOST;
            }
        }

        @Override
        public String toString() {
            return "%s %s (incarnation %d), view %d of %s"
                    .formatted(worker, kind, incarnation, view.number(), view.names());
        }
    }

    /** The registration of a listener of {@link MemberEvent}s. Thread-safe. */
    public interface MemberSubscription extends AutoCloseable {

        /** End the notifications; one that has begun continues. Further calls do nothing. */
        @Override
        void close();
    }
}
