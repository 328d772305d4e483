package org.gradwire.runtime.group;

import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.member.Members;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Store;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * A group of a fixed number of workers. They exchange names and ids through the store, and wait for
 * each other at barriers in it when they join and when they leave.
 */
public final class StaticGroup implements Group {
    private static final Duration POLL = Duration.ofMillis(200);

    private final WorkerInfo self;
    private final int size;
    private final Store store;
    private final Duration timeout;
    private volatile @Nullable Host host;

    public StaticGroup(WorkerInfo self, int size, Store store, Duration timeout) {
        this.self = self;
        this.size = size;
        this.store = store;
        this.timeout = timeout;
    }

    @Override
    public int incarnation() {
        return 0;
    }

    @Override
    public long place() {
        return 0;
    }

    @Override
    public void join(Members members, RpcAgent agent, Host newHost) {
        GroupKind.STATIC.require(store);
        host = newHost;
        members.set(List.of(self));
        agent.start(newHost);
        List<WorkerInfo> all = meet();
        members.set(all);
        newHost.onFirstView(new GroupView(0, all));
        agent.connect(all);
        if (!barrier("joined", () -> !members.lost().isEmpty())) {
            throw new RpcException("a worker was lost while the group formed: " + members.lost());
        }
    }

    @Override
    public void leave(ShutdownContext context, Duration time) {
        new Shutdown(this, context).leaveTogether(time);
    }

    @Override
    public void onLeaving(String name) {
        // It stays a member: it serves calls until all leave.
    }

    @Override
    public void onPeerLost(WorkerInfo peer, RpcException reason) {
        Host joined = host;
        if (joined != null) {
            joined.runApart(() -> joined.forget(peer, reason));
        }
    }

    @Override
    public List<RequestHandler> handlers(IntConsumer joining) {
        return List.of();
    }

    @Override
    public void close() {
        store.close();
    }

    /**
     * Exchange names and ids through the store.
     *
     * @throws RpcException when two have the same name or rank; all workers throw it
     */
    private List<WorkerInfo> meet() {
        if (store.add("rank/" + self.id(), 1) > 1) {
            throw new RpcConfigurationException(
                    "RPC worker id %d is not unique: another process has joined with it, or an earlier group ended without deleting its store; choose another gradwire.rank or rendezvous"
                            .formatted(self.id()));
        }
        store.set("name/" + self.id(), self.name().getBytes(StandardCharsets.UTF_8));
        List<WorkerInfo> members = new ArrayList<>(size);
        Map<String, Integer> ids = new HashMap<>();
        for (int id = 0; id < size; id++) {
            String name = new String(awaitMember(id), StandardCharsets.UTF_8);
            Integer twin = ids.put(name, id);
            if (twin != null) {
                throw new RpcConfigurationException(
                        "RPC worker name %s is not unique. Workers %d and %d share the same name."
                                .formatted(name, twin, id));
            }
            members.add(new WorkerInfo(id, name));
        }
        return members;
    }

    private byte[] awaitMember(int id) {
        try {
            return store.get("name/" + id, waitTime());
        } catch (RpcTimeoutException e) {
            throw new RpcTimeoutException(
                    "%s waited %d ms for the group of %d workers to form, but worker %d did not join"
                            .formatted(self, waitTime().toMillis(), size, id));
        }
    }

    private Duration waitTime() {
        return timeout.isZero() ? Duration.ofDays(1) : timeout;
    }

    /**
     * Wait until all workers have reached a barrier.
     *
     * @param giveUp polled; ends the wait
     * @return whether all have reached it
     */
    boolean barrier(String place, BooleanSupplier giveUp) {
        if (store.add("barrier/" + place, 1) == size) {
            store.set("passed/" + place, new byte[0]);
            return true;
        }
        return await("passed/" + place, giveUp);
    }

    private boolean await(String key, BooleanSupplier giveUp) {
        while (true) {
            // Polled before the read: the first worker that passed may have left by now, which must
            // not end this wait.
            boolean last = giveUp.getAsBoolean();
            try {
                store.get(key, POLL);
                return true;
            } catch (RpcTimeoutException _) {
                if (last) {
                    return false;
                }
            }
        }
    }

    /** Add to a sum over all workers; {@return the sum so far} */
    long sum(String name, long amount) {
        return store.add("sum/" + name, amount);
    }
}
