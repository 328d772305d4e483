package org.gradwire.checkpoint;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Exchanges the results of all members after each phase of a save or load. A member that fails in a
 * phase sends the reason, so that all fail for it, and none waits.
 */
final class Exchange {
    private static final int MAX_BYTES = 1 << 28;
    private static final String ERROR = "error";
    private static final String RESULT = "result";

    private final ProcessGroup group;

    Exchange(ProcessGroup group) {
        this.group = group;
    }

    /** The part of a phase that one member runs. */
    @FunctionalInterface
    interface Phase {

        /** {@return the result for the others, as JSON} */
        Object run() throws IOException;
    }

    /**
     * Run a phase, and return the results of all members, by rank.
     *
     * @throws CheckpointException on all members, if the phase failed on one
     */
    List<Json> run(Phase phase) throws CheckpointException {
        Map<String, Object> own = new LinkedHashMap<>();
        Exception failure = null;
        try {
            own.put(RESULT, phase.run());
        } catch (IOException | RuntimeException e) {
            failure = e;
            own.put(ERROR, String.valueOf(e.getMessage()));
        }
        List<byte[]> all = allGather(Json.write(own));
        List<Json> results = new ArrayList<>();
        for (int rank = 0; rank < all.size(); rank++) {
            String member = group.members().get(rank);
            Json sent = Json.parse(member, all.get(rank));
            if (sent.value() instanceof Map<?, ?> fields && fields.get(ERROR) instanceof String e) {
                String text = "%s: %s".formatted(member, e);
                throw failure == null
                        ? new CheckpointException(text)
                        : new CheckpointException(text, failure);
            }
            results.add(sent.get(RESULT));
        }
        return results;
    }

    private List<byte[]> allGather(byte[] own) throws CheckpointException {
        int[] lengths =
                group.allGather(Tensor.of(new int[] {own.length})).stream()
                        .mapToInt(length -> (int) length.itemAsLong())
                        .toArray();
        int longest = Arrays.stream(lengths).max().orElse(0);
        if (longest > MAX_BYTES || Arrays.stream(lengths).min().orElse(0) < 0) {
            throw new CheckpointException(
                    "a member describes its states in %d bytes; %d are possible"
                            .formatted(longest, MAX_BYTES));
        }
        int words = longest / Long.BYTES + 1;
        var padded = ByteBuffer.allocate(words * Long.BYTES).put(0, own);
        long[] sent = new long[words];
        padded.asLongBuffer().get(sent);
        List<Tensor> received = group.allGather(Tensor.of(sent));
        List<byte[]> all = new ArrayList<>();
        for (int rank = 0; rank < lengths.length; rank++) {
            var bytes = ByteBuffer.allocate(words * Long.BYTES);
            bytes.asLongBuffer().put(received.get(rank).toLongArray());
            all.add(Arrays.copyOf(bytes.array(), lengths[rank]));
        }
        return all;
    }
}
