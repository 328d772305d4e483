package org.gradwire.rpc.elastic;

import org.gradwire.rpc.GroupView;

/** A program that {@link Elastic} runs. */
public interface ElasticProgram {

    /**
     * Make the state right for the members of a view: place what was lost on members that are left,
     * from saved state, and drop references to lost values.
     *
     * <p>Called before the first step and after each change; again if it fails since a member was
     * lost meanwhile.
     */
    void recover(GroupView view);

    /**
     * Do one step. If a member is lost meanwhile, the step may fail halfway; its changes must not
     * disturb {@link #recover}.
     *
     * @return whether there are more steps
     */
    boolean step(GroupView view);
}
