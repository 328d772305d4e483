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
    private final BackendUnderTest backend;

    AgentWorld(BackendProvider provider, BackendUnderTest backend, int size) {
        this.backend = backend;
        var store = new MemoryStore();
        var settings = MapSettings.of(provider, backend.settings());
        List<WorkerInfo> members = new ArrayList<>();
        for (int id = 0; id < size; id++) {
            var self = new WorkerInfo(id, "worker" + id);
            members.add(self);
            agents.add(
                    new TestAgent(
                            self,
                            provider.create(
                                    new AgentContext(
                                            self, settings, store, BufferAllocator.plain()))));
        }
        agents.forEach(TestAgent::start);
        connectAll(members);
    }

    /**
     * Each connects on a thread of its own, since an agent may wait for the others to connect too.
     */
    private void connectAll(List<WorkerInfo> members) {
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
