package org.gradwire.conformance.rules;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplySink;
import org.gradwire.spi.RpcAgent;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An agent under test, with a listener that the check controls. */
final class TestAgent implements AutoCloseable {

    /** Handles a delivered request. */
    @FunctionalInterface
    interface Behavior {
        void onRequest(int from, Message request, ReplySink replies);
    }

    private final WorkerInfo self;
    private final RpcAgent agent;
    private final long patienceMillis;
    private final List<Integer> lostPeers = new CopyOnWriteArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final Queue<Runnable> onLosses = new ConcurrentLinkedQueue<>();
    private volatile Behavior behavior = TestAgent::echo;

    TestAgent(WorkerInfo self, RpcAgent agent, long patienceMillis) {
        this.self = self;
        this.patienceMillis = patienceMillis;
        this.agent = agent;
    }

    void start() {
        agent.start(
                new AgentListener() {
                    @Override
                    public void onRequest(int from, Message request, ReplySink replies) {
                        requests.incrementAndGet();
                        behavior.onRequest(from, request, replies);
                    }

                    @Override
                    public void onPeerLost(int peer, RpcException reason) {
                        lostPeers.add(peer);
                        for (Runnable action; (action = onLosses.poll()) != null; ) {
                            action.run();
                        }
                    }
                });
    }

    /** Reply with the contents of the request. */
    static void echo(int from, Message request, ReplySink replies) {
        replies.reply(new Message(MessageTypes.UDF_RET, request.payload(), request.buffers()));
    }

    /** Copy a message, to compare it later. */
    static Message copyOf(Message message) {
        List<MemorySegment> copies = new ArrayList<>();
        for (MemorySegment buffer : message.buffers()) {
            copies.add(
                    MemorySegment.ofArray(new byte[Math.toIntExact(buffer.byteSize())])
                            .copyFrom(buffer));
        }
        return new Message(message.type(), message.payload().clone(), copies);
    }

    void behave(Behavior newBehavior) {
        behavior = newBehavior;
    }

    /** Run an action at the next loss notification, on the listener's thread. */
    void onNextLoss(Runnable action) {
        onLosses.add(action);
    }

    /** Send a request and return its outcome. */
    Outcome send(int to, Message request, long timeoutMillis) {
        var outcome = new Outcome();
        agent.send(to, request, timeoutMillis * 1_000_000, outcome);
        return outcome;
    }

    WorkerInfo self() {
        return self;
    }

    RpcAgent agent() {
        return agent;
    }

    List<Integer> lostPeers() {
        return lostPeers;
    }

    /** {@return the number of requests delivered so far} */
    int requests() {
        return requests.get();
    }

    /** Close the agent; one that hangs in close is abandoned. */
    @Override
    public void close() {
        Thread closing =
                Thread.ofPlatform()
                        .daemon()
                        .uncaughtExceptionHandler((_, _) -> {}) // rule CLOSE-1 checks the exception
                        .start(agent::close);
        Checks.join(closing, patienceMillis);
        closing.interrupt();
    }
}
