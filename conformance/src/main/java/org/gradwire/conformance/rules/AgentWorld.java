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
 * Agents of one backend, connected with one another, without the runtime above them. Used by the
 * thread of one check.
 */
final class AgentWorld implements AutoCloseable {
    private final Map<Integer, TestAgent> agents = new TreeMap<>();
    private final List<TestAgent> all = new ArrayList<>();
    private final BackendProvider provider;
    private final BackendUnderTest backend;
    private final MemoryStore store = new MemoryStore();
    private BufferAllocator allocator = BufferAllocator.plain();

    /** A world without agents. */
    AgentWorld(BackendProvider provider, BackendUnderTest backend) {
        this.provider = provider;
        this.backend = backend;
    }

    /** {@return a world of so many agents, which know one another} */
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

    /** Let further agents take their memory from here. */
    void allocateBy(BufferAllocator newAllocator) {
        allocator = newAllocator;
    }

    /** Make an agent, and start it, but connect it with nobody. It takes the place of its id. */
    TestAgent add(int id) {
        return add(id, store);
    }

    TestAgent add(int id, Store seenStore) {
        TestAgent agent = create(id, seenStore);
        agent.start();
        return agent;
    }

    /** Make and start an agent with settings of its own. */
    TestAgent add(int id, Map<String, String> settings) {
        TestAgent agent = make(id, store, backend.withSettings(settings));
        agents.put(id, agent);
        agent.start();
        return agent;
    }

    /** Make and start an agent that is no member, whatever id it claims. */
    TestAgent addOutsider(int id, Store seenStore) {
        TestAgent agent = make(id, seenStore, backend);
        agent.start();
        return agent;
    }

    /** Make an agent without starting it. */
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

    /** Close an agent, and connect another one in its place. */
    void replace(int id) {
        agent(id).close();
        succeed(id);
    }

    /** As {@link #replace}, after which the world holds nothing of the closed agent. */
    void replaceAndForget(int id) {
        TestAgent old = agent(id);
        replace(id);
        all.remove(old);
    }

    /** Connect another agent in the place of one, which goes on running. */
    void succeed(int id) {
        add(id);
        connectAll();
    }

    /** Connect all that are there, with one another. */
    void connectAll() {
        List<CompletableFuture<Void>> connecting =
                agents.values().stream().map(agent -> connect(agent, members())).toList();
        connecting.forEach(AgentWorld::join);
    }

    private List<WorkerInfo> members() {
        return agents.values().stream().map(TestAgent::self).toList();
    }

    /**
     * Connect on a thread of its own, since an agent may wait for the others to connect too; one of
     * the platform, so that what it starts is seen by {@link OwnThreads}.
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

    /** {@return how long a check waits for what must happen} */
    long patienceMillis() {
        return backend.patience().toMillis();
    }

    TestAgent agent(int id) {
        TestAgent agent = agents.get(id);
        if (agent == null) {
            throw new IllegalArgumentException("no agent " + id + " in this world");
        }
        return agent;
    }

    @Override
    public void close() {
        closeAll();
    }

    /** Close all agents, all at a time; one that hangs is left behind. */
    void closeAll() {
        List<Thread> closing =
                all.stream().map(agent -> Thread.ofPlatform().start(agent::close)).toList();
        for (Thread thread : closing) {
            Checks.join(thread, 2 * patienceMillis());
        }
    }
}
