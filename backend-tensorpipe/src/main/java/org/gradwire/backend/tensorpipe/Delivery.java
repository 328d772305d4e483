package org.gradwire.backend.tensorpipe;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.ReplySink;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Hands messages that have arrived to the worker: requests to the listener, replies to whom they
 * answer, after what is left in the sender's memory was read.
 *
 * <p>Called by who has the receiver's turn, except where said.
 */
final class Delivery {
    /** What is read at once, by who has the turn; more is left to the copier. */
    static final long MOST_READ_AT_ONCE = 1024 * 1024;

    private static final Logger LOG = System.getLogger(Delivery.class.getPackageName());
    private static final int NOT_PERMITTED = 1; // EPERM

    /** Makes what takes the reply to a request. */
    interface Replies {
        ReplySink sink(Peer peer, long id);
    }

    private final AgentListener listener;
    private final PendingCalls pending;
    private final Statistics statistics;
    private final Receiver receiver;
    private final Copier copier;
    private final SharedRead sharedRead;
    private final ReceiveBudget budget;
    private final Replies replies;
    private volatile boolean isStopped;

    Delivery(
            AgentListener listener,
            PendingCalls pending,
            Statistics statistics,
            Receiver receiver,
            Copier copier,
            SharedRead sharedRead,
            ReceiveBudget budget,
            Replies replies) {
        this.listener = listener;
        this.pending = pending;
        this.statistics = statistics;
        this.receiver = receiver;
        this.copier = copier;
        this.sharedRead = sharedRead;
        this.budget = budget;
        this.replies = replies;
    }

    /** {@return the limits of messages that are arriving} */
    ReceiveBudget budget() {
        return budget;
    }

    /** Hand nothing in any more. For any thread. */
    void stop() {
        isStopped = true;
    }

    /** Take a message whose body has arrived, and release it once it is handed in or dropped. */
    void onMessage(Peer from, IncomingMessage message) {
        boolean isLeft = false;
        try {
            requireKnownType(message.head().type());
            if (message.remotes().isEmpty()) {
                hand(from, message);
            } else {
                isLeft = isLeftToOthers(from, message);
            }
        } finally {
            if (!isLeft) {
                message.release();
            }
        }
    }

    /** {@return whether other threads read the rest of a message, and release it} */
    private boolean isLeftToOthers(Peer from, IncomingMessage message) {
        MemoryLocation location = from.memoryLocation();
        RemoteMemory memory = from.memory();
        BulkReader bulk = from.bulk();
        HelloFrame hello = from.hello();
        if (location != null && memory != null) {
            return isLeftToCopier(from, message, memory, location);
        }
        if (bulk != null && hello != null) {
            bulk.execute(
                    () -> readAndPost(from, message, overTcp(bulk, message, hello)),
                    message::release);
            return true;
        }
        from.outbox().control(new SingleCopyDoneFrame(message.head().transfer(), NOT_PERMITTED));
        return false;
    }

    /** A part of the message lies in a process of this host. */
    private boolean isLeftToCopier(
            Peer from, IncomingMessage message, RemoteMemory memory, MemoryLocation location) {
        if (remoteBytes(message) > MOST_READ_AT_ONCE) {
            copier.execute(
                    () ->
                            readAndPost(
                                    from, message, inMemory(new RemoteMemory(location), location)),
                    message::release);
            return true;
        }
        if (read(from, message, inMemory(memory, location))) {
            hand(from, message);
        }
        return false;
    }

    /** Where the buffers of a message are that was not sent whole. */
    private interface Source {

        /** Fill memory with a buffer; 0, or an error number. */
        int read(IncomingMessage.Remote buffer, MemorySegment to);
    }

    private Source inMemory(RemoteMemory memory, MemoryLocation location) {
        return (buffer, to) -> sharedRead.read(memory, location, buffer.address(), to);
    }

    private static Source overTcp(BulkReader bulk, IncomingMessage message, HelloFrame hello) {
        long transfer = message.head().transfer();
        return (buffer, to) ->
                bulk.read(
                        hello.challenge(),
                        new BulkChannel.Request(transfer, buffer.index(), buffer.length()),
                        to);
    }

    /** Take a message that has no buffers. */
    void onPayload(Peer from, long id, int type, byte[] payload) {
        requireKnownType(type);
        hand(from, id, new Message(type, payload, List.of()));
    }

    private static void requireKnownType(int type) {
        if (!MessageTypes.isRequest(type) && !MessageTypes.isReply(type)) {
            throw new DecodingException(
                    "a message of type 0x%x is neither request nor reply".formatted(type));
        }
    }

    private static long remoteBytes(IncomingMessage message) {
        long bytes = 0;
        for (IncomingMessage.Remote remote : message.remotes()) {
            bytes += remote.length();
        }
        return bytes;
    }

    private void readAndPost(Peer from, IncomingMessage message, Source source) {
        boolean isComplete = false;
        try (ReceiveBudget.Claim claim = budget.claim(from.arriving())) {
            claim.add(remoteBytes(message));
            isComplete = read(from, message, source);
        } catch (DecodingException e) {
            from.outbox().control(new SingleCopyDoneFrame(message.head().transfer(), 0));
            onUndecodable(from, message.head().id(), message.head().type(), e);
        } finally {
            if (!isComplete) {
                message.release();
            }
        }
        if (isComplete) {
            receiver.post(() -> handAndRelease(from, message));
        }
    }

    private void handAndRelease(Peer from, IncomingMessage message) {
        try {
            hand(from, message);
        } finally {
            message.release();
        }
    }

    /** Read what is left, tell the sender, and return whether the message is complete. */
    private boolean read(Peer from, IncomingMessage message, Source source) {
        int error = 0;
        try {
            for (IncomingMessage.Remote remote : message.remotes()) {
                error = error != 0 ? error : source.read(remote, message.allocateRemote(remote));
            }
        } catch (OutOfMemoryError e) {
            from.outbox().control(new SingleCopyDoneFrame(message.head().transfer(), 0));
            onNoMemory(from, message.head(), e);
            return false;
        }
        (error == 0 ? statistics.singleCopiesRead : statistics.singleCopiesFailed)
                .add(message.remotes().size());
        from.outbox().control(new SingleCopyDoneFrame(message.head().transfer(), error));
        return error == 0;
    }

    private void hand(Peer from, IncomingMessage incoming) {
        hand(from, incoming.head().id(), incoming.toMessage());
    }

    private void hand(Peer from, long id, Message message) {
        statistics.messagesReceived.increment();
        statistics.bytesReceived.add(message.byteSize());
        if (MessageTypes.isReply(message.type())) {
            handReply(from.id(), id, message);
        } else if (!isStopped && from.isOpen()) {
            try {
                listener.onRequest(from.id(), message, replies.sink(from, id));
            } catch (RuntimeException | Error thrown) {
                Callbacks.onThrown(statistics, thrown);
                from.outbox().control(notHandled(id, thrown));
            }
        }
    }

    private static RejectFrame notHandled(long id, Throwable thrown) {
        return new RejectFrame(
                id, RpcErrorKind.UNKNOWN.code(), "the request could not be handed in: " + thrown);
    }

    /** Hand in a request of this worker to itself. */
    void handOwn(int self, Message message, ReplySink sink) {
        statistics.messagesReceived.increment();
        statistics.bytesReceived.add(message.byteSize());
        if (!isStopped) {
            Callbacks.run(statistics, () -> listener.onRequest(self, message, sink));
        }
    }

    /** Hand in a reply. */
    void handReply(int from, long id, Message message) {
        pending.complete(id, from, message);
    }

    /** End a call with a failure. For any thread. */
    void fail(int peer, long id, RuntimeException failure) {
        pending.fail(id, peer, failure);
    }

    /** Tell that a member is lost. */
    void tellLost(int peer, RpcException reason) {
        Callbacks.run(statistics, () -> listener.onPeerLost(peer, reason));
    }

    /**
     * Answer a message that is refused, if there is a call that waits because of it. For any
     * thread.
     */
    void onUndecodable(@Nullable Peer from, long id, int type, DecodingException why) {
        if (from == null || id == RejectFrame.SESSION) {
            return;
        }
        refuse(from, id, type, RpcErrorKind.UNDECODABLE, String.valueOf(why.getMessage()));
    }

    /** Answer a message for which there is no memory. For any thread. */
    void onNoMemory(Peer from, MessageHead head, OutOfMemoryError why) {
        LOG.log(Level.WARNING, "no memory for a message from " + from.label(), why);
        refuse(
                from,
                head.id(),
                head.type(),
                RpcErrorKind.REFUSED,
                "no memory to receive the message: " + why.getMessage());
    }

    private void refuse(Peer from, long id, int type, RpcErrorKind kind, String reason) {
        if (MessageTypes.isRequest(type)) {
            from.outbox().control(new RejectFrame(id, kind.code(), reason));
        } else if (MessageTypes.isReply(type)) {
            fail(
                    from.id(),
                    id,
                    new RpcException(
                            kind, "the reply of " + from.label() + " was refused: " + reason));
        }
    }
}
