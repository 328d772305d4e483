package org.gradwire.checkpoint;

import org.gradwire.checkpoint.Manifest.Piece;
import org.gradwire.checkpoint.Manifest.SavedTensor;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.io.SafeTensors;
import org.gradwire.tensor.io.SafeTensorsFile;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The file of one member in a published checkpoint. The header is loaded first, and of the tensors
 * the rows that are used.
 */
record StoredShard(StoredFile file, SafeTensorsFile tensors) {
    private static final ValueLayout.OfLong LENGTH =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    static StoredShard open(StoredFile file, Manifest.Shard expected) throws IOException {
        long size = file.contents().byteSize();
        if (size != expected.bytes()) {
            throw new CheckpointException(
                    "%s: it has %d bytes; expected %d".formatted(file, size, expected.bytes()));
        }
        if (size >= Long.BYTES) {
            file.load(0, Long.BYTES);
            long header = file.contents().get(LENGTH, 0);
            if (header >= 0 && header <= size - Long.BYTES) { // else it is refused below
                file.load(Long.BYTES, header);
            }
        }
        return new StoredShard(file, SafeTensors.open(file.toString(), file.contents()));
    }

    /** Verify that the file has the rows of a tensor. */
    void require(SavedTensor tensor, Piece piece) throws CheckpointException {
        int[] shape = tensor.shape().stream().mapToInt(Integer::intValue).toArray();
        if (shape.length > 0) {
            shape[0] = piece.rows();
        }
        boolean fits =
                tensors.names().contains(tensor.name())
                        && tensors.dtype(tensor.name()) == tensor.dtype()
                        && Arrays.equals(tensors.shape(tensor.name()), shape);
        if (!fits) {
            throw new CheckpointException(
                    "%s: it does not have '%s' as %s%s"
                            .formatted(
                                    file, tensor.name(), tensor.dtype(), Arrays.toString(shape)));
        }
    }

    /**
     * {@return some of the rows that this shard has of a tensor}
     *
     * @param first counted in the whole tensor
     */
    Tensor rows(SavedTensor tensor, Piece piece, int first, int count) throws IOException {
        int skipped = first - piece.first();
        long rowBytes = tensor.rows() == 0 ? 0 : tensor.bytes() / tensor.rows();
        file.load(tensors.offset(tensor.name()) + skipped * rowBytes, count * rowBytes);
        Tensor all = tensors.tensor(tensor.name());
        return count == piece.rows() ? all : all.narrow(0, skipped, count);
    }
}
