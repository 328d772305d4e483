package org.gradwire.conformance.flaws;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.ForwardingAgent;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.ReplySink;
import org.gradwire.spi.RpcAgent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** An agent that is sound but for what a flaw overrides. */
abstract class FlawedAgent extends ForwardingAgent {

    FlawedAgent(RpcAgent sound) {
        super(sound);
    }

    void onReply(ReplyHandler handler, Message reply) {
        handler.onReply(reply);
    }

    void onFailure(ReplyHandler handler, RuntimeException failure) {
        handler.onFailure(failure);
    }

    void onRequest(Incoming request) {
        request.handIn();
    }

    void onPeerLost(AgentListener listener, int peer, RpcException reason) {
        listener.onPeerLost(peer, reason);
    }

    @Override
    public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        super.send(to, request, timeoutNanos, flawed(handler));
    }

    private ReplyHandler flawed(ReplyHandler handler) {
        return new ReplyHandler() {
            @Override
            public void onReply(Message reply) {
                FlawedAgent.this.onReply(handler, reply);
            }

            @Override
            public void onFailure(RuntimeException failure) {
                FlawedAgent.this.onFailure(handler, failure);
            }
        };
    }

    @Override
    public void start(AgentListener listener) {
        super.start(
                new AgentListener() {
                    @Override
                    public void onRequest(int from, Message request, ReplySink replies) {
                        FlawedAgent.this.onRequest(new Incoming(listener, from, request, replies));
                    }

                    @Override
                    public void onPeerLost(int peer, RpcException reason) {
                        FlawedAgent.this.onPeerLost(listener, peer, reason);
                    }
                });
    }

    /** {@return a handler of the same replies, whose failures go elsewhere} */
    static ReplyHandler failing(ReplyHandler handler, Consumer<RuntimeException> onFailure) {
        return new ReplyHandler() {
            @Override
            public void onReply(Message reply) {
                handler.onReply(reply);
            }

            @Override
            public void onFailure(RuntimeException failure) {
                onFailure.accept(failure);
            }
        };
    }

    /** {@return the same contents, whose release interests nobody} */
    static Message unowned(Message message) {
        return new Message(message.type(), message.payload(), message.buffers());
    }

    /** {@return what runs things later, each on a thread of its own, as some of them block} */
    static Executor after(long millis) {
        return CompletableFuture.delayedExecutor(
                millis, TimeUnit.MILLISECONDS, Thread::startVirtualThread);
    }

    /** Hang, until it is interrupted or the test has certainly ended. */
    static void hang(long seconds) {
        try {
            var _ = new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
