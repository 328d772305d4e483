package org.gradwire.runtime.store;

import org.gradwire.spi.Store;
import org.gradwire.spi.store.StoreContext;
import org.gradwire.spi.store.StoreProvider;

import java.net.URI;
import java.nio.file.Path;
import java.util.Set;

/** The provider of the stores in files. */
public final class FileStoreProvider implements StoreProvider {

    /** For the ServiceLoader. */
    public FileStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("file");
    }

    @Override
    public String form() {
        return "file:///path";
    }

    @Override
    public boolean isReachable(String address) {
        return false;
    }

    @Override
    public Store open(StoreContext context) {
        URI uri = StoreAddress.parse(context.address(), form());
        if (uri.getAuthority() != null || uri.getPath() == null || uri.getPath().length() < 2) {
            throw StoreContext.malformed(context.address(), form());
        }
        return new FileStore(Path.of(uri.getPath()).toAbsolutePath().normalize());
    }
}
