package org.gradwire.conformance.test;

import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ForwardingAgent;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** An agent that copies the requests it sends, and can change replies. */
final class TappedAgent extends ForwardingAgent {
    private final List<Message> sent = new CopyOnWriteArrayList<>();
    private volatile boolean isKeeping = true;
    private volatile UnaryOperator<Message> replies = UnaryOperator.identity();

    TappedAgent(RpcAgent agent) {
        super(agent);
    }

    /** Stop recording requests; {@return the recorded ones} */
    List<Message> sent() {
        isKeeping = false;
        return sent;
    }

    /** Change each later reply before the worker receives it. */
    void changeReplies(UnaryOperator<Message> change) {
        replies = change;
    }

    @Override
    public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        if (isKeeping) {
            sent.add(request.copy(BufferAllocator.plain()));
        }
        super.send(
                to,
                request,
                timeoutNanos,
                new ReplyHandler() {
                    @Override
                    public void onReply(Message reply) {
                        handler.onReply(replies.apply(reply));
                    }

                    @Override
                    public void onFailure(RuntimeException failure) {
                        handler.onFailure(failure);
                    }
                });
    }
}
