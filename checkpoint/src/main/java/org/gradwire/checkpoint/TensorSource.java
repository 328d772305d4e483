package org.gradwire.checkpoint;

import org.gradwire.checkpoint.Manifest.Piece;
import org.gradwire.checkpoint.Manifest.SavedTensor;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The tensors of a saved state, which are read when they are loaded.
 *
 * @param name of the state, for messages
 * @param tensors all of them
 * @param reader of rows that one shard has
 */
record TensorSource(String name, List<SavedTensor> tensors, Reader reader) {

    /** Reads rows of a tensor from one shard. */
    @FunctionalInterface
    interface Reader {

        /**
         * {@return some rows of a piece}
         *
         * @param first position of the first row in the whole tensor
         * @param count number of rows; 0 only if the piece has none
         */
        Tensor read(SavedTensor tensor, Piece piece, int first, int count) throws IOException;
    }

    /** {@return rows of a tensor, from all shards that have some of them} */
    Tensor rows(SavedTensor tensor, Rows rows) throws IOException {
        List<Tensor> parts = new ArrayList<>();
        for (Piece piece : tensor.pieces()) {
            int from = Math.max(rows.first(), piece.first());
            int to = Math.min(rows.end(), piece.first() + piece.rows());
            boolean overlaps = rows.count() > 0 ? from < to : from == to && parts.isEmpty();
            if (overlaps) {
                parts.add(reader.read(tensor, piece, from, to - from));
            }
        }
        return parts.size() == 1 ? parts.getFirst() : Ops.cat(parts, 0);
    }

    /** {@return the name} */
    @Override
    public String toString() {
        return name;
    }
}
