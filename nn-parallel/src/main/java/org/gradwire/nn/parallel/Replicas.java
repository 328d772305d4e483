package org.gradwire.nn.parallel;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.tensor.Tensor;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Tensors that are equal on all members of a group. */
final class Replicas {

    /** Most bytes that are joined for one operation. */
    private static final long MOST_BYTES = 16 << 20;

    private Replicas() {}

    /**
     * Verify that all members have tensors of the same names, types and shapes.
     *
     * @param kind of the tensors, for the message
     * @throws IllegalArgumentException on all members, if one differs from the first
     */
    static void requireAlike(ProcessGroup group, String kind, Map<String, Tensor> tensors) {
        List<Tensor> counts = group.allGather(Tensor.of(new int[] {tensors.size()}));
        for (int rank = 0; rank < counts.size(); rank++) {
            long first = counts.getFirst().itemAsLong();
            if (counts.get(rank).itemAsLong() != first) {
                throw new IllegalArgumentException(
                        "%s has %d %s, and %s has %d; give all members of %s the same module"
                                .formatted(
                                        group.members().getFirst(),
                                        first,
                                        kind,
                                        group.members().get(rank),
                                        counts.get(rank).itemAsLong(),
                                        group.name()));
            }
        }
        requireEqualDigests(group, kind, tensors);
    }

    private static void requireEqualDigests(
            ProcessGroup group, String kind, Map<String, Tensor> tensors) {
        List<String> texts = tensors.entrySet().stream().map(Replicas::description).toList();
        long[] own = texts.stream().mapToLong(Replicas::digest).toArray();
        List<Tensor> digests = group.allGather(Tensor.of(own));
        long[] first = digests.getFirst().toLongArray();
        for (int rank = 1; rank < digests.size(); rank++) {
            int difference = Arrays.mismatch(first, digests.get(rank).toLongArray());
            if (difference >= 0) {
                throw new IllegalArgumentException(
                        "the %s of %s and %s differ at number %d, which is %s on %s; give all members of %s the same module"
                                .formatted(
                                        kind,
                                        group.members().getFirst(),
                                        group.members().get(rank),
                                        difference,
                                        texts.get(difference),
                                        group.members().get(group.rank()),
                                        group.name()));
            }
        }
    }

    private static String description(Map.Entry<String, Tensor> named) {
        Tensor tensor = named.getValue();
        return "%s: %s%s%s"
                .formatted(
                        named.getKey(),
                        tensor.dtype(),
                        Arrays.toString(tensor.shape()),
                        tensor.requiresGrad() ? "" : " without gradient");
    }

    private static long digest(String text) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // each Java platform has it
        }
    }

    /** Change tensors to those of a member, several of them in one operation. */
    static void broadcast(ProcessGroup group, Collection<Tensor> tensors, int root) {
        List<Tensor> some = new ArrayList<>();
        long bytes = 0;
        for (Tensor tensor : tensors) {
            long size = (long) tensor.numel() * tensor.dtype().bytes();
            if (!some.isEmpty() && bytes + size > MOST_BYTES) {
                var _ = group.broadcast_(some, root);
                some.clear();
                bytes = 0;
            }
            some.add(tensor.detach());
            bytes += size;
        }
        if (!some.isEmpty()) {
            var _ = group.broadcast_(some, root);
        }
    }
}
