package org.gradwire.rpc.member;

import org.gradwire.rpc.WorkerInfo;

/**
 * A change of the members of a dynamic group.
 *
 * @param kind the change
 * @param worker the worker that joined or left
 * @param incarnation number of the view in which this process of the worker joined: it
 *     distinguishes processes that had the same name one after the other
 * @param view the members after the change
 */
public record MemberEvent(Kind kind, WorkerInfo worker, long incarnation, GroupView view) {

    /** Kind of a change. */
    public enum Kind {
        /** A worker joined whose name the group had not seen before. */
        JOINED,
        /** A worker left of its own accord. */
        LEFT,
        /** A worker ended or became unreachable; calls to it and references to its values fail. */
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
