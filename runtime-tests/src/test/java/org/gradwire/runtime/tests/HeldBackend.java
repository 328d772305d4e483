package org.gradwire.runtime.tests;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.ForwardingAgent;
import org.gradwire.spi.RpcAgent;

import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The backend {@code inproc} with agents that wait or fail at points of a test's choice. */
public final class HeldBackend implements BackendProvider {
    static final String NAME = "held";

    private static final int PATIENCE_SECONDS = 30;

    /** Shared by all agents, since those of one provider connect to each other. */
    private static final BackendProvider INPROC =
            ServiceLoader.load(BackendProvider.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .filter(provider -> provider.name().equals("inproc"))
                    .findFirst()
                    .orElseThrow();

    private static final Map<WorkerInfo, Hold> CONNECTS = new ConcurrentHashMap<>();
    private static final Map<WorkerInfo, Hold> CLOSES = new ConcurrentHashMap<>();
    private static final Map<WorkerInfo, Map<Integer, RpcException>> FAILURES =
            new ConcurrentHashMap<>();

    /** For the ServiceLoader. */
    public HeldBackend() {}

    /** A point at which agents wait until a test releases them. */
    static final class Hold {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        void awaitReached() {
            await(reached);
        }

        void release() {
            released.countDown();
        }

        private void pass() {
            reached.countDown();
            await(released);
        }

        private static void await(CountDownLatch latch) {
            try {
                if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError("nothing happened in " + PATIENCE_SECONDS + " s");
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Hold the next connection of a worker to others. */
    static Hold holdConnect(WorkerInfo worker) {
        return hold(CONNECTS, worker);
    }

    /** Fail all connections of a worker to a member. */
    static void failConnect(WorkerInfo worker, int member, RpcException failure) {
        FAILURES.put(worker, Map.of(member, failure));
    }

    /** End the failures of a worker's connections. */
    static void allowConnect(WorkerInfo worker) {
        FAILURES.remove(worker);
    }

    /** Hold the close of a worker's agent. */
    static Hold holdClose(WorkerInfo worker) {
        return hold(CLOSES, worker);
    }

    private static Hold hold(Map<WorkerInfo, Hold> holds, WorkerInfo worker) {
        var hold = new Hold();
        holds.put(worker, hold);
        return hold;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public RpcAgent create(AgentContext context) {
        return new Agent(INPROC.create(context), context.self());
    }

    private static final class Agent extends ForwardingAgent {
        private final WorkerInfo self;

        private Agent(RpcAgent agent, WorkerInfo self) {
            super(agent);
            this.self = self;
        }

        @Override
        public void connect(List<WorkerInfo> members) {
            pass(CONNECTS);
            Map<Integer, RpcException> failures = FAILURES.getOrDefault(self, Map.of());
            for (WorkerInfo member : members) {
                RpcException failure = failures.get(member.id());
                if (failure != null) {
                    throw failure;
                }
            }
            super.connect(members);
        }

        @Override
        public void close() {
            pass(CLOSES);
            FAILURES.remove(self);
            super.close();
        }

        private void pass(Map<WorkerInfo, Hold> holds) {
            Hold hold = holds.remove(self);
            if (hold != null) {
                hold.pass();
            }
        }
    }
}
