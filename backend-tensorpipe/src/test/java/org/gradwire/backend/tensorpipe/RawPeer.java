package org.gradwire.backend.tensorpipe;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;

import org.agrona.concurrent.UnsafeBuffer;
import org.gradwire.backend.tensorpipe.address.NetworkAddress;
import org.gradwire.backend.tensorpipe.address.WorkerAddress;
import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.auth.Identity;
import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.auth.Proof;
import org.gradwire.backend.tensorpipe.auth.SharedSecret;
import org.gradwire.backend.tensorpipe.channel.BulkAuthenticator;
import org.gradwire.backend.tensorpipe.channel.BulkReadMode;
import org.gradwire.backend.tensorpipe.driver.DriverDirectory;
import org.gradwire.backend.tensorpipe.frame.ControlFrame;
import org.gradwire.backend.tensorpipe.frame.FrameHeader;
import org.gradwire.backend.tensorpipe.frame.HelloAckFrame;
import org.gradwire.backend.tensorpipe.frame.HelloFrame;
import org.gradwire.backend.tensorpipe.frame.MemoryAcceptFrame;
import org.gradwire.backend.tensorpipe.os.ProcessIdentity;
import org.gradwire.spi.Store;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * A member of a group made only of Aeron and frames, so that it can send bytes that no agent would
 * send.
 */
public final class RawPeer implements AutoCloseable {

    /** A received frame. */
    record Frame(int kind, UnsafeBuffer buffer) {
        int length() {
            return buffer.capacity();
        }
    }

    final int id;
    final DriverDirectory directory;
    final long incarnation = ThreadLocalRandom.current().nextLong();
    final Nonce challenge = new Nonce(1, 2);
    final Nonce memoryProof = new Nonce(3, 4);
    final List<Frame> received = new ArrayList<>();
    boolean reads = true;
    private final long group;
    private final WorkerAddress target;
    private final int targetId;
    private final Store store;
    private final Aeron aeron;
    private final Subscription subscription;
    private final ExclusivePublication publication;

    /** Publish an address in the store, by which an agent finds this peer. */
    public RawPeer(int id, int targetId, Store store) {
        this.id = id;
        this.targetId = targetId;
        this.store = store;
        target =
                WorkerAddress.decode(
                        store.get("worker/worker" + targetId + "/tensorpipe/address", WAIT));
        group =
                Long.parseUnsignedLong(
                        new String(
                                store.get("tensorpipe/group", WAIT),
                                java.nio.charset.StandardCharsets.US_ASCII),
                        16);
        directory =
                new DriverDirectory(
                        Path.of(target.driver().substring(0, target.driver().indexOf('#'))));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory.aeron().toString()));
        subscription =
                aeron.addSubscription(
                        "aeron:ipc", ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE));
        publication =
                aeron.addExclusivePublication(
                        "aeron:ipc?mtu=4k|term-length=128k", target.ipcStream());
        var address =
                new WorkerAddress(
                        incarnation,
                        target.host(),
                        target.driver(),
                        ProcessIdentity.self(),
                        false,
                        true,
                        subscription.streamId());
        store.set("worker/worker" + id + "/tensorpipe/address", address.encode());
    }

    private static final java.time.Duration WAIT = java.time.Duration.ofSeconds(10);

    HelloFrame hello() {
        return new HelloFrame(
                false,
                false,
                group,
                new Authenticator.Party(id, incarnation),
                new Authenticator.Party(targetId, target.incarnation()),
                memoryProof,
                challenge);
    }

    /** Perform the handshake like a correct peer, and return the agent's HELLO. */
    public HelloFrame greet(BulkReadMode bulkReadMode) {
        send(hello());
        Frame theirs = await(frame -> frame.kind == FrameHeader.HELLO);
        HelloFrame hello = HelloFrame.decode(theirs.buffer(), 0, theirs.length());
        await(frame -> frame.kind == FrameHeader.HELLO_ACK);
        send(new HelloAckFrame(bulkReadMode == BulkReadMode.TCP, hello.challenge(), Proof.NONE));
        if (bulkReadMode == BulkReadMode.MEMORY) {
            await(frame -> frame.kind == FrameHeader.MEMORY_OFFER);
            send(new MemoryAcceptFrame());
        }
        return hello;
    }

    /** {@return the authenticator for connections that read large buffers} */
    BulkAuthenticator bulkAuthenticator() {
        var authenticator = new Authenticator(new SharedSecret(""), group);
        return new BulkAuthenticator(new Identity(group, id, incarnation, authenticator));
    }

    /** {@return the agent, which owns the large buffers} */
    Authenticator.Party server() {
        return new Authenticator.Party(targetId, target.incarnation());
    }

    /** {@return the address of the agent's bulk server} */
    InetSocketAddress holder() {
        String key =
                "worker/worker%d/tensorpipe/endpoint/%s"
                        .formatted(targetId, Long.toHexString(target.incarnation()));
        NetworkAddress network = NetworkAddress.decode(store.get(key, WAIT));
        return new InetSocketAddress(network.host(), network.tcpPort());
    }

    void send(ControlFrame frame) {
        var buffer = new UnsafeBuffer(new byte[2048]);
        frame.encode(buffer, 0);
        byte[] bytes = new byte[frame.encodedLength()];
        buffer.getBytes(0, bytes);
        send(bytes);
    }

    /** Send bytes as a frame. */
    public void send(byte[] bytes) {
        var claim = new BufferClaim();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (publication.tryClaim(bytes.length, claim) < 0) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("the log is full");
            }
            if (reads) {
                poll();
            }
            LockSupport.parkNanos(10_000);
        }
        claim.buffer().putBytes(claim.offset(), bytes);
        claim.commit();
    }

    /** Send a message that Aeron fragments. */
    void sendFragmented(byte[] bytes) {
        var buffer = new UnsafeBuffer(bytes);
        while (publication.offer(buffer, 0, bytes.length) < 0) {
            LockSupport.parkNanos(10_000);
        }
    }

    /** Wait for a frame, and remove it. */
    Frame await(Predicate<Frame> wanted) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            for (Frame frame : received) {
                if (wanted.test(frame)) {
                    received.remove(frame);
                    return frame;
                }
            }
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("no such frame; received: " + received);
            }
            if (poll() == 0) {
                LockSupport.parkNanos(100_000);
            }
        }
    }

    int poll() {
        return subscription.poll(
                (buffer, offset, length, header) -> {
                    byte[] bytes = new byte[length];
                    buffer.getBytes(offset, bytes);
                    received.add(new Frame(bytes[0], new UnsafeBuffer(bytes)));
                },
                100);
    }

    @Override
    public void close() {
        aeron.close();
    }
}
