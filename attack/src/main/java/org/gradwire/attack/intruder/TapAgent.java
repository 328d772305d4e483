package org.gradwire.attack.intruder;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ForwardingAgent;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.ReplySink;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Store;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** An agent that records copies of its sent requests until stopped. */
final class TapAgent extends ForwardingAgent {
    private final RpcAgent agent;
    private final Store store;
    private final List<Message> sent = new CopyOnWriteArrayList<>();
    private final Set<Integer> lost = ConcurrentHashMap.newKeySet();
    private volatile boolean isKeeping = true;

    TapAgent(RpcAgent agent, Store store) {
        super(agent);
        this.agent = agent;
        this.store = store;
    }

    /** {@return the wrapped agent} */
    RpcAgent inner() {
        return agent;
    }

    /** {@return the group's store} */
    Store store() {
        return store;
    }

    /** Stop recording; {@return the recorded requests} */
    List<Message> sent() {
        isKeeping = false;
        return sent;
    }

    boolean hasLost(int peer) {
        return lost.contains(peer);
    }

    @Override
    public void start(AgentListener listener) {
        super.start(
                new AgentListener() {
                    @Override
                    public void onRequest(int from, Message request, ReplySink replies) {
                        listener.onRequest(from, request, replies);
                    }

                    @Override
                    public void onPeerLost(int peer, RpcException reason) {
                        lost.add(peer);
                        listener.onPeerLost(peer, reason);
                    }
                });
    }

    @Override
    public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        if (isKeeping) {
            sent.add(request.copy(BufferAllocator.plain()));
        }
        super.send(to, request, timeoutNanos, handler);
    }
}
