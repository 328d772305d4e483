package org.gradwire.runtime.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.config.LayeredSettings;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.runtime.store.StoreSecurity;
import org.gradwire.runtime.store.TestStores;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Settings;
import org.gradwire.spi.Store;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

class BackendAgreementTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final String NO_FLAG = "add the flag --add-exports";

    private final TestStores stores = new TestStores();

    /** A backend without an agent. */
    private record Named(String name, Optional<String> why) implements BackendProvider {
        @Override
        public Optional<String> obstacle(Settings settings) {
            return why;
        }

        @Override
        public RpcAgent create(AgentContext context) {
            throw new UnsupportedOperationException();
        }
    }

    private static Backends able() {
        return new Backends(
                List.of(
                        new Named("tensorpipe", Optional.empty()),
                        new Named("netty", Optional.empty())));
    }

    private static Backends unable() {
        return new Backends(
                List.of(
                        new Named("tensorpipe", Optional.of(NO_FLAG)),
                        new Named("netty", Optional.empty())));
    }

    private Store store(int rank, int size) {
        return stores.open("inproc://agreement", rank, size, StoreSecurity.withToken(""), LONG);
    }

    private static BackendAgreement agreement(
            Backends backends, Store store, int rank, Duration timeout) {
        var settings =
                LayeredSettings.collect(
                        RpcOptions.builder().build(),
                        RuntimeSettings.ALL,
                        BackendAgreementTest.class.getClassLoader());
        return new BackendAgreement(
                backends, settings, store, new WorkerInfo(rank, "worker" + rank), timeout);
    }

    /** {@return the names on which the workers of a static group agree} */
    private List<String> agree(List<Backends> workers) {
        List<CompletableFuture<String>> chosen = new ArrayList<>();
        for (int rank = 0; rank < workers.size(); rank++) {
            var agreement = agreement(workers.get(rank), store(rank, workers.size()), rank, LONG);
            chosen.add(
                    CompletableFuture.supplyAsync(
                            () -> agreement.agree(workers.size()).name(),
                            Thread::startVirtualThread));
        }
        return chosen.stream().map(CompletableFuture::join).toList();
    }

    @Test
    void allTakeTheFirstChoiceWhereItCanWorkForAll() {
        assertEquals(
                List.of("tensorpipe", "tensorpipe", "tensorpipe"),
                agree(List.of(able(), able(), able())));
    }

    @Test
    void allTakeTheSecondChoiceWhereTheFirstCannotWorkForOne() {
        assertEquals(List.of("netty", "netty", "netty"), agree(List.of(able(), able(), unable())));
    }

    @Test
    void aBackendThatIsNotInstalledCannotWork() {
        var nettyOnly = new Backends(List.of(new Named("netty", Optional.empty())));
        assertEquals(List.of("netty", "netty"), agree(List.of(nettyOnly, able())));
    }

    @Test
    void theFirstWorkerOfADynamicGroupDecides() {
        Store store = store(0, 3);
        assertEquals("netty", agreement(unable(), store, 0, LONG).agreeInDynamicGroup().name());
        assertEquals("netty", agreement(able(), store, 1, LONG).agreeInDynamicGroup().name());
    }

    @Test
    void aLaterWorkerThatCannotFollowSaysWhy() {
        Store store = store(0, 3);
        assertEquals("tensorpipe", agreement(able(), store, 0, LONG).agreeInDynamicGroup().name());
        BackendAgreement later = agreement(unable(), store, 1, LONG);
        String text =
                assertThrows(RpcConfigurationException.class, later::agreeInDynamicGroup)
                        .getMessage();
        assertTrue(
                text.contains("'tensorpipe', which cannot run in WorkerInfo(id=1")
                        && text.contains(NO_FLAG)
                        && text.contains("gradwire.backend=netty on all workers"),
                text);
    }

    @Test
    void theWaitForTheOthersEnds() {
        BackendAgreement alone = agreement(able(), store(0, 2), 0, SHORT);
        assertThrows(RpcTimeoutException.class, () -> alone.agree(2));
    }

    @Test
    void whatTheStoreSaysIsAClaim() {
        Store store = store(0, 2);
        store.add("backend/reported", 1);
        store.set("backend/choice", "evil\nline".getBytes(StandardCharsets.UTF_8));
        BackendAgreement follower = agreement(able(), store, 1, LONG);
        String text =
                assertThrows(RpcConfigurationException.class, follower::agreeInDynamicGroup)
                        .getMessage();
        assertTrue(text.contains("'evil\\u000aline'; expected tensorpipe or netty"), text);
    }
}
