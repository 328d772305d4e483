package org.gradwire.runtime.inproc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.config.LayeredSettings;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.runtime.store.StoreSecurity;
import org.gradwire.runtime.store.TestStores;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplySink;
import org.gradwire.spi.RpcAgent;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

class InprocBackendTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final List<WorkerInfo> MEMBERS =
            List.of(new WorkerInfo(0, "worker0"), new WorkerInfo(1, "worker1"));

    private final TestStores stores = new TestStores();

    private static final class NoRequests implements AgentListener {
        @Override
        public void onRequest(int from, Message request, ReplySink replies) {
            throw new AssertionError("a request of worker " + from);
        }

        @Override
        public void onPeerLost(int peer, RpcException reason) {
            // the tests close the workers in sequence
        }
    }

    private RpcAgent started(InprocBackend jvm, int rank) {
        var settings =
                LayeredSettings.collect(
                        RpcOptions.builder().build(),
                        RuntimeSettings.ALL,
                        InprocBackendTest.class.getClassLoader());
        var store =
                stores.open(
                        "inproc://group",
                        rank,
                        MEMBERS.size(),
                        StoreSecurity.withToken(""),
                        TIMEOUT);
        RpcAgent agent =
                jvm.create(
                        new AgentContext(
                                MEMBERS.get(rank), settings, store, BufferAllocator.plain()));
        agent.start(new NoRequests());
        return agent;
    }

    /** Each JVM has its own backend object, so two backend objects represent two JVMs. */
    @Test
    void workersOfTwoJvmsRefuseToConnect() {
        RpcAgent first = started(new InprocBackend(), 0);
        RpcAgent second = started(new InprocBackend(), 1);
        assertRefused(
                first,
                "WorkerInfo(id=1, name=worker1) is in another process than"
                        + " WorkerInfo(id=0, name=worker0)");
        assertRefused(
                second,
                "WorkerInfo(id=0, name=worker0) is in another process than"
                        + " WorkerInfo(id=1, name=worker1)");
        first.close();
        second.close();
    }

    private static void assertRefused(RpcAgent agent, String who) {
        var refusal = assertThrows(RpcConfigurationException.class, () -> agent.connect(MEMBERS));
        assertEquals(
                who
                        + ", and the backend inproc connects workers of one JVM only; use tensorpipe"
                        + " between processes",
                refusal.getMessage());
    }

    @Test
    void workersOfOneJvmConnect() {
        var jvm = new InprocBackend();
        RpcAgent first = started(jvm, 0);
        RpcAgent second = started(jvm, 1);
        first.connect(MEMBERS);
        second.connect(MEMBERS);
        first.close();
        second.close();
    }
}
