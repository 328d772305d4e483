package org.gradwire.rpc;

import java.io.Serializable;

/**
 * Name and id of a worker. A value: compared by both, and allowed as an argument of calls.
 *
 * @param id the worker's rank in its group, 0 to 32767
 * @param name unique in the group
 */
public record WorkerInfo(int id, String name) implements Serializable {

    /** {@return {@code WorkerInfo(id=N, name=X)}} */
    @Override
    public String toString() {
        return "WorkerInfo(id=" + id + ", name=" + name + ")";
    }
}
