package org.gradwire.attack.intruder;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentListener;
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

/** An agent that keeps copies of the requests it sends until it is told to stop. */
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

    /** {@return the agent that does the work} */
    RpcAgent inner() {
        return agent;
    }

    /** {@return where the group meets} */
    Store store() {
        return store;
    }

    /** Keep no further requests; {@return those that were kept} */
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
            sent.add(Mutations.copy(request));
        }
        super.send(to, request, timeoutNanos, handler);
    }
}
