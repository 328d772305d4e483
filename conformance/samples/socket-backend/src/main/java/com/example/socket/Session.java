package com.example.socket;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.PendingCalls;

import java.util.function.BooleanSupplier;

/**
 * What the parts of a started agent share.
 *
 * @param identity of the agent
 * @param pending the requests under way
 * @param isClosed whether the agent was closed: then nothing is handed in any more
 */
record Session(
        AgentContext context,
        Options options,
        Identity identity,
        AgentListener listener,
        PendingCalls pending,
        Counters counters,
        BooleanSupplier isClosed) {
    private static final System.Logger LOG = System.getLogger(Session.class.getPackageName());

    /** Make a thread, not yet started, that does not keep the JVM from ending. */
    Thread thread(String purpose, Runnable task) {
        return Thread.ofPlatform()
                .daemon()
                .name("socket-%s-%s".formatted(context.self().name(), purpose))
                .unstarted(task);
    }

    /**
     * Check a message before it is sent.
     *
     * @throws RpcException when it is too large: it was released
     */
    void requireSendable(Message message) {
        long bytes = message.byteSize();
        int buffers = message.buffers().size();
        if (bytes > options.maxMessageBytes() || buffers > FrameReader.MOST_BUFFERS) {
            message.release();
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "message of %d bytes in %d buffers refused: at most %d buffers, %s=%d"
                            .formatted(
                                    bytes,
                                    buffers,
                                    FrameReader.MOST_BUFFERS,
                                    Options.MAX_MESSAGE_BYTES,
                                    options.maxMessageBytes()));
        }
    }

    /** Hand a request to the worker. Should that fail, its call fails too, rather than hang. */
    void handIn(int from, Message request, Answer answer) {
        if (isClosed.getAsBoolean()) {
            return;
        }
        try {
            listener.onRequest(from, request, answer);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "a request could not be handed in", e);
            answer.refuse(RpcErrorKind.UNKNOWN, "the request could not be handed in: " + e);
        }
    }
}
