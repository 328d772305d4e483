package org.gradwire.runtime.store;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Settings;
import org.gradwire.spi.Store;
import org.gradwire.spi.store.StoreContext;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Opens stores of the runtime with a security that a test chooses. */
public final class TestStores {
    private final InprocStoreProvider inproc = new InprocStoreProvider();
    private final Function<String, String> environment;

    /** Create stores that find no environment variables. */
    public TestStores() {
        this(_ -> "");
    }

    TestStores(Function<String, String> environment) {
        this.environment = environment;
    }

    /** {@return a factory of stores without a token} */
    public StoreFactory factory() {
        return factory(StoreSecurity.withToken(""));
    }

    private StoreFactory factory(StoreSecurity security) {
        return new StoreFactory(
                List.of(new TcpStoreProvider(_ -> security), new FileStoreProvider(), inproc),
                environment);
    }

    /** Open a store. */
    public Store open(
            String address, int rank, int worldSize, StoreSecurity security, Duration timeout) {
        var self = new WorkerInfo(rank, "worker" + rank);
        return factory(security)
                .open(new StoreContext(address, self, worldSize, new NoSettings(), timeout));
    }

    private static final class NoSettings implements Settings {
        @Override
        public Optional<String> find(String key) {
            return Optional.empty();
        }

        @Override
        public String origin(String key) {
            return "a test";
        }
    }
}
