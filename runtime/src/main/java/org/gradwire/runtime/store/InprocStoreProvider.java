package org.gradwire.runtime.store;

import org.gradwire.spi.Store;
import org.gradwire.spi.store.StoreContext;
import org.gradwire.spi.store.StoreProvider;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The provider of the stores within one JVM, which are those of this object. */
public final class InprocStoreProvider implements StoreProvider {
    private final Map<String, InprocStore.Table> tables = new HashMap<>(); // guarded by itself

    /** For the ServiceLoader. */
    public InprocStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("inproc");
    }

    @Override
    public String form() {
        return "inproc://name";
    }

    @Override
    public boolean isReachable(String address) {
        return false;
    }

    @Override
    public Store open(StoreContext context) {
        String address = context.address();
        if (StoreAddress.parse(address, form()).getAuthority() == null) {
            throw StoreContext.malformed(address, form());
        }
        return new InprocStore(address, tables, context.self().id(), context.worldSize());
    }
}
