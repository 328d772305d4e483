package org.gradwire.spi;

import org.gradwire.rpc.WorkerInfo;

import java.util.List;
import java.util.Map;

/**
 * An agent that leaves everything to another one; a base for those that change some of it.
 *
 * <p>Whoever overrides a method calls the one here, or does what it does.
 */
public abstract class ForwardingAgent implements RpcAgent {
    private final RpcAgent agent;

    /**
     * Wrap an agent.
     *
     * @param agent which the wrapping one closes with itself
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
    public Map<String, String> debugInfo() {
        return agent.debugInfo();
    }

    @Override
    public void close() {
        agent.close();
    }
}
