package org.gradwire.runtime.rref;

import org.gradwire.spi.Input;
import org.gradwire.spi.Output;

/**
 * The id of a reference, or of one of its forks: unique over all workers of a group.
 *
 * @param createdOn id of the worker that drew it
 * @param localId from a counter of that worker
 */
public record GloballyUniqueId(int createdOn, long localId) {

    public void write(Output out) {
        out.writeInt(createdOn);
        out.writeLong(localId);
    }

    public static GloballyUniqueId read(Input in) {
        return new GloballyUniqueId(in.readInt(), in.readLong());
    }

    @Override
    public String toString() {
        return "GloballyUniqueId(created_on=%d, local_id=%d)".formatted(createdOn, localId);
    }
}
