package org.gradwire.checkpoint;

import org.gradwire.tensor.DType;

import java.util.List;

/**
 * The table of contents of a checkpoint.
 *
 * @param step at which it was saved
 * @param program version of the program that saved it, as the program named it
 * @param members names of the workers that saved it, by rank
 * @param shards the file of each member, by rank
 * @param tensors all tensors, in the order of their names
 */
public record Manifest(
        long step,
        String program,
        List<String> members,
        List<Shard> shards,
        List<SavedTensor> tensors) {

    /** Copy the lists. */
    public Manifest {
        members = List.copyOf(members);
        shards = List.copyOf(shards);
        tensors = List.copyOf(tensors);
    }

    /**
     * The file of one member.
     *
     * @param bytes its length
     * @param sha256 digest of its contents, in hexadecimal
     */
    public record Shard(long bytes, String sha256) {}

    /**
     * A tensor.
     *
     * @param name of the state, a slash, and the name in the state
     * @param shape of the whole tensor
     * @param pieces where its rows are, from the first row to the last
     */
    public record SavedTensor(String name, DType dtype, List<Integer> shape, List<Piece> pieces) {

        /** Copy the lists. */
        public SavedTensor {
            shape = List.copyOf(shape);
            pieces = List.copyOf(pieces);
        }

        /** {@return the size of the elements in bytes} */
        public long bytes() {
            return shape.stream()
                    .mapToLong(Integer::longValue)
                    .reduce(dtype.bytes(), (a, b) -> a * b);
        }

        /** {@return the number of rows: the first size, or 1 of a scalar} */
        public int rows() {
            return shape.isEmpty() ? 1 : shape.getFirst();
        }
    }

    /**
     * Rows of a tensor in a shard.
     *
     * @param shard rank of the member that has written them
     * @param first the first row
     * @param rows their number
     */
    public record Piece(int shard, int first, int rows) {}
}
