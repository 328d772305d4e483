package org.gradwire.conformance.rules;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.MapSettings;
import org.gradwire.conformance.harness.MemoryStore;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A group of connected agents of one backend, without the runtime. Confined to the thread of one
 * check.
 */
final class AgentWorld implements AutoCloseable {
    private final Map<Integer, TestAgent> agents = new TreeMap<>();
    private final List<TestAgent> all = new ArrayList<>();
    private final BackendProvider provider;
    private final BackendUnderTest backend;
    private final MemoryStore store = new MemoryStore();
    private BufferAllocator allocator = BufferAllocator.plain();

    /** Create a group without agents. */
    AgentWorld(BackendProvider provider, BackendUnderTest backend) {
        this.provider = provider;
        this.backend = backend;
    }

    /** {@return a group of connected agents} */
    static AgentWorld connected(BackendProvider provider, BackendUnderTest backend, int size) {
        var world = new AgentWorld(provider, backend);
        try {
            for (int id = 0; id < size; id++) {
                world.add(id);
            }
            world.connectAll();
            return world;
        } catch (AssertionError | RuntimeException e) {
            world.close();
            throw e;
        }
    }

    /** Set the allocator of later agents. */
    void allocateBy(BufferAllocator newAllocator) {
        allocator = newAllocator;
    }

    /** Create and start an agent without connecting it. It becomes the agent of its id. */
    TestAgent add(int id) {
        return add(id, store);
    }

    TestAgent add(int id, Store seenStore) {
        TestAgent agent = create(id, seenStore);
        agent.start();
        return agent;
    }

    /** Create and start an agent with additional settings. */
    TestAgent add(int id, Map<String, String> settings) {
        TestAgent agent = make(id, store, backend.withSettings(settings));
        agents.put(id, agent);
        agent.start();
        return agent;
    }

    /** Create and start an agent that is not a member, whatever id it claims. */
    TestAgent addOutsider(int id, Store seenStore) {
        TestAgent agent = make(id, seenStore, backend);
        agent.start();
        return agent;
    }

    /** Create an agent without starting it. */
    TestAgent create(int id, Store seenStore) {
        TestAgent agent = make(id, seenStore, backend);
        agents.put(id, agent);
        return agent;
    }

    private TestAgent make(int id, Store seenStore, BackendUnderTest itsBackend) {
        var self = new WorkerInfo(id, "worker" + id);
        var settings = MapSettings.of(provider, itsBackend.settings());
        var context = new AgentContext(self, settings, seenStore, allocator);
        var agent = new TestAgent(self, provider.create(context), patienceMillis());
        all.add(agent);
        return agent;
    }

    /** Close an agent, and connect a new one under its id. */
    void replace(int id) {
        agent(id).close();
        succeed(id);
    }

    /** As {@link #replace}, and drop all references to the closed agent. */
    void replaceAndForget(int id) {
        TestAgent old = agent(id);
        replace(id);
        all.remove(old);
    }

    /** Connect a new agent under the id of one that continues to run. */
    void succeed(int id) {
        add(id);
        connectAll();
    }

    /** Connect all agents with one another. */
    void connectAll() {
        List<CompletableFuture<Void>> connecting =
                agents.values().stream().map(agent -> connect(agent, members())).toList();
        connecting.forEach(AgentWorld::join);
    }

    private List<WorkerInfo> members() {
        return agents.values().stream().map(TestAgent::self).toList();
    }

    /**
     * Connect on a separate thread, since an agent may wait until the others connect. It is a
     * platform thread, so that {@link OwnThreads} sees the threads it starts.
     */
    static CompletableFuture<Void> connect(TestAgent agent, List<WorkerInfo> members) {
        var result = new CompletableFuture<Void>();
        Thread.ofPlatform()
                .daemon()
                .name("connecting " + agent.self())
                .start(() -> {
                    try {
                        agent.agent().connect(members);
                        result.complete(null);
                    } catch (Throwable e) {
                        result.completeExceptionally(e);
                    }
                });
        return result;
    }

    private static void join(CompletableFuture<Void> connecting) {
        try {
            connecting.get(2, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } catch (TimeoutException e) {
            throw new AssertionError("the agents were still connecting after two minutes", e);
        } catch (ExecutionException e) {
            throw new AssertionError("the agents could not connect: " + e.getCause(), e);
        }
    }

    BackendProvider provider() {
        return provider;
    }

    BackendUnderTest backend() {
        return backend;
    }

    MemoryStore store() {
        return store;
    }

    /** {@return how long a check waits for an expected event} */
    long patienceMillis() {
        return backend.patience().toMillis();
    }

    TestAgent agent(int id) {
        TestAgent agent = agents.get(id);
        if (agent == null) {
            throw new IllegalArgumentException("no agent " + id + " in this group");
        }
        return agent;
    }

    @Override
    public void close() {
        closeAll();
    }

    /** Close all agents in parallel; an agent that hangs is abandoned. */
    void closeAll() {
        List<Thread> closing =
                all.stream().map(agent -> Thread.ofPlatform().start(agent::close)).toList();
        for (Thread thread : closing) {
            Checks.join(thread, 2 * patienceMillis());
        }
    }
}
