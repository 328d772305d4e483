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

    /** {@return the id of the fork that the creator of a reference holds: the next one} */
    GloballyUniqueId ofCreation() {
        return new GloballyUniqueId(createdOn, localId + 1);
    }

    boolean isCreationOf(GloballyUniqueId rrefId) {
        return equals(rrefId.ofCreation());
    }

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
