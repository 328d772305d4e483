package org.gradwire.spi;

import org.gradwire.rpc.WorkerInfo;

import java.util.List;
import java.util.Map;

/**
 * An agent that delegates every method to another one: a base class for decorators.
 *
 * <p>Overriding methods call the method of this class.
 */
public abstract class ForwardingAgent implements RpcAgent {
    private final RpcAgent agent;

    /**
     * Wrap an agent.
     *
     * @param agent closed with this one
     */
    protected ForwardingAgent(RpcAgent agent) {
        this.agent = agent;
    }

    @Override
    public void start(AgentListener listener) {
        agent.start(listener);
    }

    @Override
    public void connect(List<WorkerInfo> members) {
        agent.connect(members);
    }

    @Override
    public void disconnect(int member) {
        agent.disconnect(member);
    }

    @Override
    public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        agent.send(to, request, timeoutNanos, handler);
    }

    @Override
    public int poll() {
        return agent.poll();
    }

    @Override
    public void endPolling() {
        agent.endPolling();
    }

    @Override
    public void linger() {
        agent.linger();
    }

    @Override
    public PeerIdentity identity(int member) {
        return agent.identity(member);
    }

    @Override
    public Map<String, String> debugInfo() {
        return agent.debugInfo();
    }

    @Override
    public void close() {
        agent.close();
    }
}
