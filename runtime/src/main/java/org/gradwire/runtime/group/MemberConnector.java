package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.member.Members;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.UntrustedText;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Connects a worker to the members that join its dynamic group after it. Not thread-safe. */
final class MemberConnector {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.groups");

    private final WorkerInfo self;
    private final Members members;
    private final RpcAgent agent;
    private final Group.Host host;
    private final LossReports losses;
    private final Map<WorkerInfo, Long> unconnected = new LinkedHashMap<>(); // with their places

    MemberConnector(
            WorkerInfo self, Members members, RpcAgent agent, Group.Host host, LossReports losses) {
        this.self = self;
        this.members = members;
        this.agent = agent;
        this.host = host;
        this.losses = losses;
    }

    void connect(WorkerInfo newcomer, long place) {
        try {
            // Only to the new member: a stale address of another one must not fail it.
            agent.connect(List.of(newcomer));
            members.connected(List.of(newcomer));
        } catch (RpcConnectionException e) {
            warn("{0} cannot reach {1}, which joined: {2}", newcomer, e);
            unconnected.remove(newcomer);
            losses.report(newcomer, place, () -> {});
            return;
        } catch (RpcException e) { // a fault of this worker
            if (unconnected.put(newcomer, place) == null) {
                warn("{0} cannot connect to {1}, which joined, and tries again: {2}", newcomer, e);
            }
            return;
        }
        unconnected.remove(newcomer);
        try {
            host.onConnected(newcomer);
        } catch (RpcException e) {
            warn("{0} failed to handle that {1} joined: {2}", newcomer, e);
        }
    }

    /** Connect again to the members that a fault of this worker made unreachable. */
    void connectAgain() {
        Map.copyOf(unconnected).forEach(this::connect);
    }

    /** Forget a member that has left. */
    void forget(WorkerInfo member) {
        unconnected.remove(member);
    }

    private void warn(String text, WorkerInfo newcomer, RpcException e) {
        String reason = UntrustedText.quote(String.valueOf(e.getMessage()));
        LOGGER.log(System.Logger.Level.WARNING, text, self, newcomer, reason);
    }
}
