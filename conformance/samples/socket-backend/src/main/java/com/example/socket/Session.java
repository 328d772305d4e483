package com.example.socket;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.PendingCalls;

import java.util.function.BooleanSupplier;

/**
 * The shared state of a started agent.
 *
 * @param context context of the agent
 * @param identity identity of the agent
 * @param pending pending requests
 * @param isClosed whether the agent was closed; then nothing more is delivered
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

    /** Create an unstarted daemon thread. */
    Thread thread(String purpose, Runnable task) {
        return Thread.ofPlatform()
                .daemon()
                .name("socket-%s-%s".formatted(context.self().name(), purpose))
                .unstarted(task);
    }

    /**
     * Check the size of a message before it is sent.
     *
     * @throws RpcException if it is too large; it was released
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

    /** Deliver a request to the worker. If that fails, the call fails rather than hangs. */
    void handIn(int from, Message request, Answer answer) {
        if (isClosed.getAsBoolean()) {
            return;
        }
        try {
            listener.onRequest(from, request, answer);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "a request could not be delivered", e);
            answer.refuse(RpcErrorKind.UNKNOWN, "the request could not be delivered: " + e);
        }
    }
}
