package org.gradwire.runtime.rref;

import org.gradwire.spi.Input;
import org.gradwire.spi.Output;

/**
 * The id of a reference or of a fork: unique in a group, and secret: only workers that received it
 * know it. The secret is not printed.
 *
 * @param createdOn the id of the worker that drew it
 * @param localId from a counter of that worker
 * @param secret random, since the other two can be guessed
 */
public record GloballyUniqueId(int createdOn, long localId, long secret)
        implements Comparable<GloballyUniqueId> {

    /** {@return the id of the fork of a reference's creator: the successor of this id} */
    GloballyUniqueId ofCreation() {
        return new GloballyUniqueId(createdOn, localId + 1, secret);
    }

    boolean isCreationOf(GloballyUniqueId rrefId) {
        return equals(rrefId.ofCreation());
    }

    public void write(Output out) {
        out.writeInt(createdOn);
        out.writeLong(localId);
        out.writeLong(secret);
    }

    public static GloballyUniqueId read(Input in) {
        return new GloballyUniqueId(in.readInt(), in.readLong(), in.readLong());
    }

    /** Ordered, so that hash tables stay fast when a peer chooses ids with equal hash codes. */
    @Override
    public int compareTo(GloballyUniqueId other) {
        int byWorker = Integer.compare(createdOn, other.createdOn);
        int byCount = byWorker != 0 ? byWorker : Long.compare(localId, other.localId);
        return byCount != 0 ? byCount : Long.compare(secret, other.secret);
    }

    @Override
    public String toString() {
        return "GloballyUniqueId(created_on=%d, local_id=%d)".formatted(createdOn, localId);
    }
}
