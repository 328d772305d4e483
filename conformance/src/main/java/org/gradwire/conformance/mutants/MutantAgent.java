package org.gradwire.conformance.mutants;

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

/** An agent that delegates to a correct one, except for the methods that a mutant overrides. */
abstract class MutantAgent extends ForwardingAgent {

    MutantAgent(RpcAgent sound) {
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
        super.send(to, request, timeoutNanos, mutated(handler));
    }

    private ReplyHandler mutated(ReplyHandler handler) {
        return new ReplyHandler() {
            @Override
            public void onReply(Message reply) {
                MutantAgent.this.onReply(handler, reply);
            }

            @Override
            public void onFailure(RuntimeException failure) {
                MutantAgent.this.onFailure(handler, failure);
            }
        };
    }

    @Override
    public void start(AgentListener listener) {
        super.start(
                new AgentListener() {
                    @Override
                    public void onRequest(int from, Message request, ReplySink replies) {
                        MutantAgent.this.onRequest(new Incoming(listener, from, request, replies));
                    }

                    @Override
                    public void onPeerLost(int peer, RpcException reason) {
                        MutantAgent.this.onPeerLost(listener, peer, reason);
                    }
                });
    }

    /** {@return a handler that passes replies on and redirects failures} */
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

    /** {@return a message with the same contents and without a release action} */
    static Message unowned(Message message) {
        return new Message(message.type(), message.payload(), message.buffers());
    }

    /**
     * {@return an executor that delays each task and runs it on its own thread, since some tasks
     * block}
     */
    static Executor after(long millis) {
        return CompletableFuture.delayedExecutor(
                millis, TimeUnit.MILLISECONDS, Thread::startVirtualThread);
    }

    /** Block until interrupted, or until the test has certainly ended. */
    static void hang(long seconds) {
        try {
            var _ = new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
