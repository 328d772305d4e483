package org.gradwire.conformance.test;

import org.gradwire.spi.ForwardingAgent;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** An agent that keeps copies of the requests it sends, and changes replies where it is told to. */
final class TappedAgent extends ForwardingAgent {
    private final List<Message> sent = new CopyOnWriteArrayList<>();
    private volatile boolean isKeeping = true;
    private volatile UnaryOperator<Message> replies = UnaryOperator.identity();

    TappedAgent(RpcAgent agent) {
        super(agent);
    }

    /** Keep no further requests; {@return those that were kept} */
    List<Message> sent() {
        isKeeping = false;
        return sent;
    }

    /** From now on change each reply before the worker sees it. */
    void changeReplies(UnaryOperator<Message> change) {
        replies = change;
    }

    @Override
    public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        if (isKeeping) {
            sent.add(Mutations.copy(request));
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
