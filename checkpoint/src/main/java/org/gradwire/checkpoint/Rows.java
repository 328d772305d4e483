package org.gradwire.checkpoint;

import org.gradwire.rpc.WireValue;

/**
 * The place of a shard in a tensor that several members hold together, divided along its first
 * dimension.
 *
 * @param first the first row of the shard, from 0
 * @param count the number of its rows
 * @param total the number of rows of the whole tensor
 */
@WireValue
public record Rows(int first, int count, int total) {

    /**
     * Check the rows.
     *
     * @throws IllegalArgumentException if they are not within the whole tensor
     */
    public Rows {
        if (first < 0 || count < 0 || total < 0 || first > total - count) {
            throw new IllegalArgumentException(
                    "%d rows from %d are not within a tensor of %d rows"
                            .formatted(count, first, total));
        }
    }

    /**
     * Return the rows of one member, if all have the same number or one fewer: the first members
     * have the larger shards.
     *
     * @throws IllegalArgumentException if there is no such rank
     */
    public static Rows of(int rank, int members, int total) {
        if (rank < 0 || rank >= members) {
            throw new IllegalArgumentException(
                    "rank %d is not within 0 to %d".formatted(rank, members - 1));
        }
        int each = total / members;
        int larger = total % members;
        int first = rank * each + Math.min(rank, larger);
        return new Rows(first, each + (rank < larger ? 1 : 0), total);
    }

    int end() {
        return first + count;
    }
}
