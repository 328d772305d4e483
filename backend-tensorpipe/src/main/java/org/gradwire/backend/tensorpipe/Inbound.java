package org.gradwire.backend.tensorpipe;

import io.aeron.CommonContext;
import io.aeron.Image;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;

import org.agrona.DirectBuffer;
import org.gradwire.spi.DecodingException;
import org.jspecify.annotations.Nullable;

import java.net.InetAddress;

/**
 * One Aeron session that arrives: who is at its other end, and the message it is in the middle of.
 *
 * <p>Nothing is known of a session until it greets; until then, and when it is found to be no
 * member's, its frames are counted and dropped. Touched by who has the receiver's turn.
 */
final class Inbound implements ControlledFragmentHandler {

    /** What frames mean; implemented by {@link Sessions}. */
    interface Handler {

        /**
         * Check that a greeting is meant for this worker.
         *
         * @throws DecodingException when it is not
         */
        void requireForUs(HelloFrame hello);

        /** A worker greets. */
        void onHello(Inbound from, HelloFrame hello);

        /** A worker answers this one's greeting. */
        void onHelloAck(Inbound from, HelloAckFrame ack);

        /** A control frame of a worker that has greeted. */
        void onControl(Peer from, ControlFrame frame);

        /** A message whose body has arrived. The handler releases it. */
        void onMessage(Peer from, IncomingMessage message);

        /** A whole message that has a payload alone, which is in a frame. */
        void onPayload(Peer from, long id, int type, DirectBuffer buffer, int offset, int length);

        /** Begin a message whose body is in one frame. */
        IncomingMessage begin(Peer from, MessageHead head);

        /**
         * Begin a message that will arrive in chunks.
         *
         * @throws DecodingException when there is not enough room for it
         */
        IncomingMessage announce(Peer from, MessageHead head);

        /**
         * A frame made no sense.
         *
         * @param id of the message it belongs to, or {@link RejectFrame#SESSION}
         */
        void onRejected(Inbound from, long id, int type, DecodingException why);

        /** Much of a log that comes over UDP has been read. */
        void onRoomMade();

        /** There is no memory for a message. */
        void onNoMemory(Peer from, MessageHead head, OutOfMemoryError why);
    }

    private static final int LARGE_FRAME = 4096;

    // Aeron tells a writer of room when it is a quarter of the window, which is half a term or
    // less.
    private static final int TELLS_PER_TERM = 16;

    private final Image image;
    private final boolean isIpc;
    private final int roomWorthTelling;
    private final Handler handler;
    private @Nullable HelloFrame hello;
    private @Nullable Peer peer;
    private @Nullable IncomingMessage current;
    private int heartbeats; // in the poll under way
    private long toldPosition;
    private long droppedTransfer = -1;
    private boolean isRefused;
    private boolean hasMessages; // since it was last asked
    private int looksInVain; // at the unfinished message

    Inbound(Image image, Handler handler) {
        this.image = image;
        roomWorthTelling = image.termBufferLength() / TELLS_PER_TERM;
        isIpc = image.subscription().channel().startsWith(CommonContext.IPC_CHANNEL);
        this.handler = handler;
    }

    Image image() {
        return image;
    }

    /** {@return whether it comes through shared memory, not over UDP} */
    boolean isIpc() {
        return isIpc;
    }

    /** {@return whether it comes on a peer's route, over UDP from the peer's host} */
    boolean isFrom(Peer other) {
        Route route = other.route();
        return isIpc ? route.isIpc() : !route.isIpc() && route.host().equals(sourceHost());
    }

    private InetAddress sourceHost() {
        return HostAddress.parse(NetworkAddress.hostOf(image.sourceIdentity()));
    }

    /** {@return the greeting, once there was one} */
    @Nullable HelloFrame hello() {
        return hello;
    }

    @Nullable Peer peer() {
        return peer;
    }

    /** Say who is at the other end. */
    void bind(Peer greeted) {
        peer = greeted;
    }

    /** Listen to this session no more. Its frames are still taken out of the log. */
    void refuse() {
        isRefused = true;
        dropCurrent();
        peer = null;
    }

    private void dropCurrent() {
        IncomingMessage message = current;
        if (message != null) {
            current = null;
            message.release();
        }
    }

    /**
     * Take in frames, and return how many came, without heartbeats: who waits need not stay awake
     * for them.
     */
    int poll(int fragmentLimit) {
        heartbeats = 0;
        int fragments = image.controlledPoll(this, fragmentLimit);
        Peer from = peer;
        if (fragments > 0 && from != null) {
            from.onHeard(System.nanoTime());
        }
        if (fragments > 0 && !isIpc) {
            tellOfRoom();
        }
        return fragments - heartbeats;
    }

    /** The driver tells the writer of the room that was made; it may be asleep. */
    private void tellOfRoom() {
        long position = image.position();
        if (position - toldPosition >= roomWorthTelling) {
            toldPosition = position;
            handler.onRoomMade();
        }
    }

    /**
     * Take in a frame. After a large one its space is given back at once, so that its writer can go
     * on.
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
            handler.onRejected(this, RejectFrame.SESSION, 0, e);
        }
    }

    private void onHello(HelloFrame frame) {
        if (hello != null) {
            throw new DecodingException("a second HELLO in one session");
        }
        handler.requireForUs(frame);
        hello = frame;
        handler.onHello(this, frame);
    }

    private Peer requirePeer(int kind) {
        Peer from = peer;
        if (isRefused || from == null || from.isLost()) {
            throw new DecodingException(
                    "a frame of kind %d in a session that is no member's".formatted(kind));
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
                    "a frame of kind %d before the greetings are exchanged".formatted(kind));
        }
        hasMessages = true;
        switch (kind) {
            case FrameHeader.MESSAGE -> onMessage(from, buffer, offset, length);
            case FrameHeader.MESSAGE_START -> onStart(from, buffer, offset, length);
            case FrameHeader.CHUNK -> onChunk(from, buffer, offset, length);
            case FrameHeader.ABORT -> onAbort(AbortFrame.decode(buffer, offset, length));
            case FrameHeader.SINGLE_COPY_DONE ->
                    handler.onControl(from, SingleCopyDoneFrame.decode(buffer, offset, length));
            case FrameHeader.MEMORY_OFFER ->
                    handler.onControl(from, MemoryOfferFrame.decode(buffer, offset, length));
            case FrameHeader.MEMORY_ACCEPT ->
                    handler.onControl(from, MemoryAcceptFrame.decode(buffer, offset, length));
            default -> throw new DecodingException("a frame of unknown kind " + kind);
        }
    }

    private void onMessage(Peer from, DirectBuffer buffer, int offset, int length) {
        try {
            try {
                takeMessage(from, buffer, offset, length);
            } catch (OutOfMemoryError e) {
                handler.onNoMemory(from, MessageFrame.decode(buffer, offset, length), e);
            }
        } catch (DecodingException e) {
            rejectMessage(buffer, offset, length, e);
        }
    }

    private void takeMessage(Peer from, DirectBuffer buffer, int offset, int length) {
        int body = offset + MessageFrame.BODY_OFFSET;
        if (MessageFrame.isPayloadOnly(buffer, offset, length)) {
            handler.onPayload(
                    from,
                    MessageFrame.idOr(RejectFrame.SESSION, buffer, offset, length),
                    MessageFrame.typeOr(0, buffer, offset, length),
                    buffer,
                    body,
                    length - MessageFrame.BODY_OFFSET);
        } else {
            MessageHead head = MessageFrame.decode(buffer, offset, length);
            IncomingMessage message = handler.begin(from, head);
            boolean isWhole = false;
            try {
                message.begin();
                message.append(buffer, body, length - MessageFrame.BODY_OFFSET);
                isWhole = true;
            } finally {
                if (!isWhole) {
                    message.release();
                }
            }
            handler.onMessage(from, message);
        }
    }

    private void onStart(Peer from, DirectBuffer buffer, int offset, int length) {
        dropCurrent();
        try {
            MessageHead head = MessageStartFrame.decode(buffer, offset, length);
            droppedTransfer = head.transfer();
            try {
                IncomingMessage message = handler.announce(from, head);
                current = message;
                message.begin();
                endIfComplete(from);
            } catch (OutOfMemoryError e) {
                dropCurrent();
                handler.onNoMemory(from, head, e);
            }
        } catch (DecodingException e) {
            dropCurrent();
            rejectMessage(buffer, offset, length, e);
        }
    }

    private void endIfComplete(Peer from) {
        IncomingMessage message = current;
        if (message != null && message.isComplete()) {
            current = null;
            handler.onMessage(from, message);
        }
    }

    /**
     * Look at the unfinished message, and drop it when so many looks in a row have seen no message,
     * nor a part of one, arrive. A sender that lives and has more to send sends it as soon as there
     * is room, small messages first.
     *
     * @return whether a message is unfinished
     */
    boolean dropIfStalled(int looks) {
        IncomingMessage message = current;
        looksInVain = message == null || hasMessages ? 0 : looksInVain + 1;
        hasMessages = false;
        if (message != null && looksInVain == looks) {
            dropCurrent();
            handler.onRejected(this, message.head().id(), message.head().type(), stalled(message));
        }
        return current != null;
    }

    private static DecodingException stalled(IncomingMessage message) {
        return new DecodingException(
                "nothing arrives any more of a message of which %d of %d bytes have"
                        .formatted(message.bodyPosition(), message.head().bodyLength()));
    }

    private void rejectMessage(DirectBuffer buffer, int offset, int length, DecodingException why) {
        handler.onRejected(
                this,
                MessageFrame.idOr(RejectFrame.SESSION, buffer, offset, length),
                MessageFrame.typeOr(0, buffer, offset, length),
                why);
    }

    private void onChunk(Peer from, DirectBuffer buffer, int offset, int length) {
        ChunkFrame.requireWhole(length);
        long transfer = ChunkFrame.transfer(buffer, offset);
        IncomingMessage message = current;
        if (message == null || message.head().transfer() != transfer) {
            if (transfer == droppedTransfer) {
                return; // the rest of a message that was rejected
            }
            throw new DecodingException("a chunk of transfer " + transfer + ", which has no start");
        }
        int partLength = length - ChunkFrame.PART_OFFSET;
        try {
            requirePosition(message, ChunkFrame.position(buffer, offset));
            message.append(buffer, offset + ChunkFrame.PART_OFFSET, partLength);
            endIfComplete(from);
        } catch (DecodingException e) {
            dropCurrent();
            handler.onRejected(this, message.head().id(), message.head().type(), e);
        } catch (OutOfMemoryError e) {
            dropCurrent();
            handler.onNoMemory(from, message.head(), e);
        }
    }

    private static void requirePosition(IncomingMessage message, long position) {
        if (position != message.bodyPosition()) {
            throw new DecodingException(
                    "a chunk at %d of a body of which %d bytes have arrived"
                            .formatted(position, message.bodyPosition()));
        }
    }

    private void onAbort(AbortFrame abort) {
        IncomingMessage message = current;
        if (message != null && message.head().transfer() == abort.transfer()) {
            dropCurrent();
        }
    }
}
