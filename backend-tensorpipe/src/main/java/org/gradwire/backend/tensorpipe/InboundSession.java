package org.gradwire.backend.tensorpipe;

import io.aeron.CommonContext;
import io.aeron.Image;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;

import org.agrona.DirectBuffer;
import org.gradwire.backend.tensorpipe.address.HostAddress;
import org.gradwire.backend.tensorpipe.address.NetworkAddress;
import org.gradwire.backend.tensorpipe.address.Route;
import org.gradwire.backend.tensorpipe.frame.AbortFrame;
import org.gradwire.backend.tensorpipe.frame.ControlFrame;
import org.gradwire.backend.tensorpipe.frame.FrameHeader;
import org.gradwire.backend.tensorpipe.frame.GoodbyeFrame;
import org.gradwire.backend.tensorpipe.frame.HeartbeatFrame;
import org.gradwire.backend.tensorpipe.frame.HelloAckFrame;
import org.gradwire.backend.tensorpipe.frame.HelloFrame;
import org.gradwire.backend.tensorpipe.frame.MemoryAcceptFrame;
import org.gradwire.backend.tensorpipe.frame.MemoryOfferFrame;
import org.gradwire.backend.tensorpipe.frame.RejectFrame;
import org.gradwire.backend.tensorpipe.frame.SingleCopyDoneFrame;
import org.gradwire.spi.DecodingException;
import org.jspecify.annotations.Nullable;

import java.net.InetAddress;

/**
 * An Aeron session of another worker, bound to a peer by its HELLO: decodes the frames and passes
 * them on.
 *
 * <p>Frames of an unbound or refused session are counted and dropped. Confined to the receive loop.
 */
final class InboundSession implements ControlledFragmentHandler {

    /** Handles the frames without a message; implemented by {@link FrameDispatcher}. */
    interface Handler {

        /**
         * Check that a HELLO is addressed to this worker.
         *
         * @throws DecodingException when it is not
         */
        void requireForThisWorker(HelloFrame hello);

        /** Handle a worker's HELLO. */
        void onHello(InboundSession from, HelloFrame hello);

        /** Handle the HELLO_ACK to this worker's HELLO. */
        void onHelloAck(InboundSession from, HelloAckFrame ack);

        /** Handle a control frame of a bound session. */
        void onControl(Peer from, ControlFrame frame);

        /**
         * Handle an invalid frame.
         *
         * @param from null if the session is of no known member
         * @param id of the frame's message, or {@link RejectFrame#SESSION}
         */
        void onRejected(@Nullable Peer from, long id, int type, DecodingException why);

        /** Much of a log over UDP has been read. */
        void onRoomMade();
    }

    private static final int LARGE_FRAME = 4096;

    // Aeron reports room in steps of a quarter of the window, which is at most half a term.
    private static final int NOTICES_PER_TERM = 16;

    private final Image image;
    private final boolean isIpc;
    private final int noticeBytes;
    private final Handler handler;
    private final MessageAssembler assembler;
    private @Nullable HelloFrame hello;
    private @Nullable Peer peer;
    private int heartbeats; // in the current poll
    private long noticedPosition;
    private boolean isRefused;
    private boolean hasMessageFrames; // since the last check

    InboundSession(Image image, Handler handler, MessageAssembler assembler) {
        this.image = image;
        noticeBytes = image.termBufferLength() / NOTICES_PER_TERM;
        isIpc = image.subscription().channel().startsWith(CommonContext.IPC_CHANNEL);
        this.handler = handler;
        this.assembler = assembler;
    }

    Image image() {
        return image;
    }

    /** {@return the address of the sender, for texts} */
    String source() {
        return image.sourceIdentity();
    }

    /** {@return whether it arrives through shared memory rather than over UDP} */
    boolean isIpc() {
        return isIpc;
    }

    /** {@return whether it arrives by a peer's route; over UDP, from the peer's host} */
    boolean isFrom(Peer other) {
        Route route = other.route();
        return isIpc ? route.isIpc() : !route.isIpc() && route.host().equals(sourceHost());
    }

    private InetAddress sourceHost() {
        return HostAddress.parse(NetworkAddress.hostOf(image.sourceIdentity()));
    }

    /** {@return the HELLO; null until it has arrived} */
    @Nullable HelloFrame hello() {
        return hello;
    }

    /** {@return the sender; null while the session is not bound} */
    @Nullable Peer peer() {
        return peer;
    }

    /** Bind the session to its sender. */
    void bind(Peer sender) {
        peer = sender;
    }

    /** Ignore the session's frames from now on. They are still consumed. */
    void refuse() {
        isRefused = true;
        assembler.dropUnfinished();
        peer = null;
    }

    /**
     * Consume frames, and return their number without heartbeats, which no waiting thread needs.
     */
    int poll(int fragmentLimit) {
        heartbeats = 0;
        int fragments = image.controlledPoll(this, fragmentLimit);
        Peer from = peer;
        if (fragments > 0 && from != null) {
            from.onHeard(System.nanoTime());
        }
        if (fragments > 0 && !isIpc) {
            noticeRoom();
        }
        return fragments - heartbeats;
    }

    /** Wake the driver, which may sleep, so that it reports the room to the writer. */
    private void noticeRoom() {
        long position = image.position();
        if (position - noticedPosition >= noticeBytes) {
            noticedPosition = position;
            handler.onRoomMade();
        }
    }

    /**
     * Handle a frame. The space of a large one is released at once, so that its writer continues.
     */
    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        onFrame(buffer, offset, length, header);
        return length < LARGE_FRAME ? Action.CONTINUE : Action.COMMIT;
    }

    private void onFrame(DirectBuffer buffer, int offset, int length, Header header) {
        try {
            if ((header.flags() & FrameDescriptor.UNFRAGMENTED) != FrameDescriptor.UNFRAGMENTED) {
                throw new DecodingException("a part of a fragmented frame");
            }
            int kind = FrameHeader.kindOf(buffer, offset, length);
            if (kind == FrameHeader.HELLO) {
                onHello(HelloFrame.decode(buffer, offset, length));
            } else {
                onFrameOf(requirePeer(kind), kind, buffer, offset, length);
            }
        } catch (DecodingException e) {
            handler.onRejected(peer, RejectFrame.SESSION, 0, e);
        }
    }

    private void onHello(HelloFrame frame) {
        if (hello != null) {
            throw new DecodingException("a second HELLO in one session");
        }
        handler.requireForThisWorker(frame);
        hello = frame;
        handler.onHello(this, frame);
    }

    private Peer requirePeer(int kind) {
        Peer from = peer;
        if (isRefused || from == null || from.isLost()) {
            throw new DecodingException(
                    "a frame of kind %d in a session of no known member".formatted(kind));
        }
        return from;
    }

    private void onFrameOf(Peer from, int kind, DirectBuffer buffer, int offset, int length) {
        switch (kind) {
            case FrameHeader.HELLO_ACK ->
                    handler.onHelloAck(this, HelloAckFrame.decode(buffer, offset, length));
            case FrameHeader.GOODBYE ->
                    handler.onControl(from, GoodbyeFrame.decode(buffer, offset, length));
            case FrameHeader.REJECT ->
                    handler.onControl(from, RejectFrame.decode(buffer, offset, length));
            case FrameHeader.HEARTBEAT -> {
                HeartbeatFrame.decode(buffer, offset, length);
                heartbeats++;
            }
            default -> onFrameOfOpen(from, kind, buffer, offset, length);
        }
    }

    private void onFrameOfOpen(Peer from, int kind, DirectBuffer buffer, int offset, int length) {
        if (!from.isOpen()) {
            throw new DecodingException(
                    "a frame of kind %d before the handshake is complete".formatted(kind));
        }
        hasMessageFrames = true;
        switch (kind) {
            case FrameHeader.MESSAGE -> assembler.onMessage(from, buffer, offset, length);
            case FrameHeader.MESSAGE_START -> assembler.onStart(from, buffer, offset, length);
            case FrameHeader.CHUNK -> assembler.onChunk(from, buffer, offset, length);
            case FrameHeader.ABORT -> assembler.onAbort(AbortFrame.decode(buffer, offset, length));
            case FrameHeader.SINGLE_COPY_DONE ->
                    handler.onControl(from, SingleCopyDoneFrame.decode(buffer, offset, length));
            case FrameHeader.MEMORY_OFFER ->
                    handler.onControl(from, MemoryOfferFrame.decode(buffer, offset, length));
            case FrameHeader.MEMORY_ACCEPT ->
                    handler.onControl(from, MemoryAcceptFrame.decode(buffer, offset, length));
            default -> throw new DecodingException("a frame of unknown kind " + kind);
        }
    }

    /**
     * Check the unfinished message; see {@link MessageAssembler#dropIfStalled}.
     *
     * @return whether a message is unfinished
     */
    boolean dropIfStalled(int checks) {
        boolean hasProgress = hasMessageFrames;
        hasMessageFrames = false;
        return assembler.dropIfStalled(peer, checks, hasProgress);
    }
}
