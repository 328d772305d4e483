package org.gradwire.runtime.rref;

import org.gradwire.spi.Input;
import org.gradwire.spi.Output;

/**
 * The id of a reference, or of one of its forks: unique over all workers of a group, and known to
 * those workers alone that were given it. Its text leaves the secret out.
 *
 * @param createdOn id of the worker that drew it
 * @param localId from a counter of that worker
 * @param secret random; the other two could be guessed
 */
public record GloballyUniqueId(int createdOn, long localId, long secret)
        implements Comparable<GloballyUniqueId> {

    /** {@return the id of the fork that the creator of a reference holds: the next one} */
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

    /** Hash tables stay fast when a peer chooses ids with equal hash codes. */
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
