package org.gradwire.checkpoint;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.io.SafeTensors;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;

/** The file of a member, whose digest is known when it has been written. */
final class ShardContent implements CheckpointStorage.Content {
    private final Map<String, Tensor> tensors;
    private final long bytes;
    private @Nullable String sha256; // null before the content is written

    ShardContent(Map<String, Tensor> tensors) {
        this.tensors = tensors;
        this.bytes = SafeTensors.size(tensors);
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public void writeTo(WritableByteChannel channel) throws IOException {
        MessageDigest digest = Digests.sha256();
        SafeTensors.write(new DigestingChannel(channel, digest), tensors);
        sha256 = HexFormat.of().formatHex(digest.digest());
    }

    /** {@return the digest of the bytes that were written, in hexadecimal} */
    String sha256() {
        return Objects.requireNonNull(sha256, "the storage has not written the content");
    }

    /** Adds what is written to a digest. */
    private record DigestingChannel(WritableByteChannel channel, MessageDigest digest)
            implements WritableByteChannel {
        @Override
        public int write(ByteBuffer bytes) throws IOException {
            ByteBuffer written = bytes.duplicate();
            int count = channel.write(bytes);
            digest.update(written.limit(written.position() + count));
            return count;
        }

        @Override
        public boolean isOpen() {
            return channel.isOpen();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
