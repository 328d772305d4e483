package org.gradwire.backend.tensorpipe.channel;

import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.auth.Proof;
import org.gradwire.backend.tensorpipe.frame.FrameHeader;
import org.gradwire.backend.tensorpipe.os.NativeMemory;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.function.BooleanSupplier;

/**
 * A TCP connection over which a worker reads the large buffers of a peer's messages. The reader
 * connects, and both ends prove their identity ({@link BulkHandshake}).
 *
 * <p>The reader then requests one buffer at a time:
 *
 * <pre>
 *  +---------------------------------------------------------------+
 *  |                          transfer                             |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                  length of the buffer in bytes                |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                index among the message's buffers              |
 *  |                          (8 bytes)                            |
 *  +---------------------------------------------------------------+
 * </pre>
 *
 * The response is eight bytes, 0 or an error number, and after a 0 the buffer. All numbers are
 * little-endian.
 *
 * <p>All that follows the proofs is sealed ({@link BulkSeal}) if the two workers encrypt. Waits end
 * as those of {@link BulkSocket}. For one thread; any thread may close it.
 */
public final class BulkChannel implements AutoCloseable {
    private static final int REQUEST_BYTES = 3 * Long.BYTES;
    private static final long PART = 1L << 20;

    /**
     * The request for one buffer.
     *
     * @param index among the message's buffers
     * @param length in bytes
     */
    public record Request(long transfer, long index, long length) {}

    private final BulkSocket socket;
    private final ByteBuffer words =
            ByteBuffer.allocateDirect(Proof.BYTES).order(FrameHeader.ORDER);
    private @Nullable BulkSeal seal; // null before the proofs, and when nothing is encrypted

    private BulkChannel(BulkSocket socket) {
        this.socket = socket;
    }

    /**
     * Create the owner's channel over a connected socket, which is closed with the channel or when
     * this fails.
     *
     * @param seal null when nothing is encrypted
     * @param timeoutNanos after which a wait without a transfer ends
     * @param isNeeded checked during every wait
     */
    static BulkChannel over(
            SocketChannel socket,
            @Nullable BulkSeal seal,
            long timeoutNanos,
            BooleanSupplier isNeeded)
            throws IOException {
        var channel = new BulkChannel(BulkSocket.over(socket, timeoutNanos, isNeeded));
        channel.seal = seal;
        return channel;
    }

    /**
     * Connect to the owner of the buffers, and check its identity.
     *
     * @param reader this worker
     * @param owner of the buffers
     * @param hello challenge of its HELLO
     */
    public static BulkChannel connect(
            InetAddress own,
            InetSocketAddress holder,
            BulkAuthenticator reader,
            BulkOwner owner,
            Nonce hello,
            long timeoutNanos,
            BooleanSupplier isNeeded)
            throws IOException {
        BulkChannel channel = over(SocketChannel.open(), null, timeoutNanos, isNeeded);
        try {
            channel.socket.connect(own, holder);
            channel.seal = BulkSeal.of(owner.secret(), channel.prove(reader, owner.party(), hello));
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private BulkAuthenticator.Challenges prove(
            BulkAuthenticator reader, Authenticator.Party server, Nonce hello) throws IOException {
        long start = System.nanoTime();
        socket.receiveHandshake(words.clear().limit(BulkHandshake.CHALLENGE_BYTES), start);
        Nonce ofServer = BulkHandshake.decodeChallenge(words.flip());
        Nonce ofReader = Nonce.random(new SecureRandom());
        socket.send(BulkHandshake.Answer.to(ofServer, ofReader, hello, reader, server).encode());
        socket.receiveHandshake(words.clear().limit(Proof.BYTES), start);
        var challenges = new BulkAuthenticator.Challenges(hello, ofServer, ofReader);
        boolean isServer =
                reader.accepts(
                        BulkHandshake.decodeConfirmation(words),
                        BulkAuthenticator.Role.SERVER,
                        server,
                        challenges);
        if (!isServer) {
            throw new IOException("the other end has not proven to be the owner of the buffers");
        }
        return challenges;
    }

    /**
     * Fill a segment with a buffer.
     *
     * @return 0, or the error number of the response
     */
    public int read(Request request, MemorySegment to) throws IOException {
        words.clear().putLong(request.transfer).putLong(request.length).putLong(request.index);
        write(words.flip());
        read(words.clear().limit(Long.BYTES), socket::receive);
        long error = words.getLong(0);
        for (long at = 0; error == 0 && at < to.byteSize(); at += PART) {
            read(part(to, at), socket::receive);
        }
        return (int) error;
    }

    // ---- at the owner

    /** Wait for the next request while the connection is needed. */
    Request takeRequest() throws IOException {
        ByteBuffer request = words.clear().limit(REQUEST_BYTES);
        read(request, bytes -> socket.receive(bytes, Long.MAX_VALUE));
        words.flip();
        long transfer = words.getLong();
        long length = words.getLong();
        return new Request(transfer, words.getLong(), length);
    }

    /** Respond that there is no such buffer. */
    void refuse() throws IOException {
        write(words.clear().putLong(RemoteMemory.CANARY_MISSING).flip());
    }

    /** Respond with a buffer in native memory, which the caller keeps alive. */
    void answer(MemorySegment buffer) throws IOException {
        write(words.clear().putLong(0).flip());
        MemorySegment memory = NativeMemory.at(buffer.address(), buffer.byteSize());
        for (long at = 0; at < memory.byteSize(); at += PART) {
            write(part(memory, at));
        }
    }

    // ---- at both ends

    private static ByteBuffer part(MemorySegment memory, long at) {
        return memory.asSlice(at, Math.min(PART, memory.byteSize() - at)).asByteBuffer();
    }

    private void read(ByteBuffer bytes, BulkSeal.Transfer from) throws IOException {
        if (seal == null) {
            from.transfer(bytes);
        } else {
            seal.read(bytes, from);
        }
    }

    private void write(ByteBuffer bytes) throws IOException {
        if (seal == null) {
            socket.send(bytes);
        } else {
            seal.write(bytes, socket::send);
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
