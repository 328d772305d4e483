package org.gradwire.rpc.member;

import org.gradwire.rpc.WorkerInfo;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The members of a group after a number of changes.
 *
 * <p>All members of a dynamic group see the same views, with the same numbers. A static group has
 * one view, with number 0.
 *
 * @param number number of the changes of the membership before and including the last one
 * @param members sorted by id
 */
public record GroupView(long number, List<WorkerInfo> members) {

    /** Create a view of members in any order. */
    public GroupView {
        members = members.stream().sorted(Comparator.comparingInt(WorkerInfo::id)).toList();
    }

    /** {@return the member with a name; empty if there is none} */
    public Optional<WorkerInfo> member(String name) {
        return members.stream().filter(member -> member.name().equals(name)).findFirst();
    }

    /** {@return the names of the members, in the order of their ids} */
    public List<String> names() {
        return members.stream().map(WorkerInfo::name).toList();
    }
}
