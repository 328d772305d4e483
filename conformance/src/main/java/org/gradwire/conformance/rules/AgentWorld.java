package org.gradwire.conformance.rules;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.BufferAllocator;

import java.util.ArrayList;
import java.util.List;

/** Agents of one backend, connected with one another, without the runtime above them. */
final class AgentWorld implements AutoCloseable {
    private final List<TestAgent> agents = new ArrayList<>();
    private final BackendProvider provider;
    private final BackendUnderTest backend;
    private final MemoryStore store = new MemoryStore();

    AgentWorld(BackendProvider provider, BackendUnderTest backend, int size) {
        this.provider = provider;
        this.backend = backend;
        for (int id = 0; id < size; id++) {
            agents.add(create(id));
        }
        agents.forEach(TestAgent::start);
        connectAll();
    }

    private TestAgent create(int id) {
        var self = new WorkerInfo(id, "worker" + id);
        var settings = MapSettings.of(provider, backend.settings());
        return new TestAgent(
                self,
                provider.create(new AgentContext(self, settings, store, BufferAllocator.plain())));
    }

    /** Close an agent, and connect another one in its place. */
    void replace(int id) {
        agents.get(id).close();
        agents.set(id, create(id));
        agents.get(id).start();
        connectAll();
    }

    /**
     * Each connects on a thread of its own, since an agent may wait for the others to connect too.
     */
    private void connectAll() {
        List<WorkerInfo> members = agents.stream().map(TestAgent::self).toList();
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        for (TestAgent agent : agents) {
            threads.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    agent.agent().connect(members);
                                } catch (RuntimeException e) {
                                    synchronized (failures) {
                                        failures.add(e);
                                    }
                                }
                            }));
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
        if (!failures.isEmpty()) {
            throw new AssertionError("the agents could not connect", failures.getFirst());
        }
    }

    /** {@return how long a check waits for what must happen} */
    long patienceMillis() {
        return backend.patience().toMillis();
    }

    TestAgent agent(int id) {
        return agents.get(id);
    }

    /** Close all agents; one that hangs is left behind. */
    @Override
    public void close() {
        for (TestAgent agent : agents) {
            Thread closing = Thread.ofPlatform().daemon().start(agent::close);
            try {
                closing.join(patienceMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
            closing.interrupt();
        }
    }
}
