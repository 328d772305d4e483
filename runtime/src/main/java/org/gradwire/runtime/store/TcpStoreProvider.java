package org.gradwire.runtime.store;

import org.gradwire.runtime.store.TcpStore.Serving;
import org.gradwire.spi.Store;
import org.gradwire.spi.store.StoreContext;
import org.gradwire.spi.store.StoreProvider;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The provider of the stores that rank 0 serves over TCP. */
public final class TcpStoreProvider implements StoreProvider {
    private static final Pattern HOST_AND_PORT = Pattern.compile("(.+):(\\d{1,5})");
    private static final int MAX_PORT = 65535;
    private static final int MAX_CONNECTIONS = 4096; // in a dynamic group
    private static final int SPARE_CONNECTIONS = 16;

    private final Function<StoreContext, StoreSecurity> security;

    /** For the ServiceLoader. */
    public TcpStoreProvider() {
        this(context -> StoreSecurity.of(context.settings(), context.self()));
    }

    TcpStoreProvider(Function<StoreContext, StoreSecurity> security) {
        this.security = security;
    }

    @Override
    public Set<String> schemes() {
        return Set.of("tcp");
    }

    @Override
    public String form() {
        return "tcp://host:port";
    }

    /**
     * {@inheritDoc}
     *
     * <p>A host counts as reachable unless all its addresses are loopback addresses; a name that
     * cannot be resolved counts as reachable.
     */
    @Override
    public boolean isReachable(String address) {
        String host = hostAndPort(address).group(1);
        try {
            return !Stream.of(InetAddress.getAllByName(host))
                    .allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException _) {
            return true;
        }
    }

    @Override
    public Store open(StoreContext context) {
        Matcher hostAndPort = hostAndPort(context.address());
        return TcpStore.open(
                hostAndPort.group(1),
                Integer.parseInt(hostAndPort.group(2)),
                serving(context.self().id(), context.worldSize()),
                maxConnections(context.worldSize()),
                security.apply(context),
                context.timeout());
    }

    /** The host is not {@link URI#getHost}, which refuses names with an underscore. */
    private Matcher hostAndPort(String address) {
        Matcher hostAndPort =
                HOST_AND_PORT.matcher(
                        Objects.requireNonNullElse(
                                StoreAddress.parse(address, form()).getAuthority(), ""));
        if (!hostAndPort.matches()) {
            throw StoreContext.malformed(address, form());
        }
        int port = Integer.parseInt(hostAndPort.group(2));
        if (port < 1 || port > MAX_PORT) {
            throw StoreContext.malformed(address, form());
        }
        return hostAndPort;
    }

    /**
     * {@return the limit of connections: two for each worker, since a restarted one may have left
     * an old one open}
     */
    private static int maxConnections(int worldSize) {
        return worldSize == 0 ? MAX_CONNECTIONS : 2 * worldSize + SPARE_CONNECTIONS;
    }

    /**
     * {@return whether a worker serves the store; in a dynamic group, a restarted rank 0 may find
     * it served}
     */
    private static Serving serving(int rank, int worldSize) {
        if (rank != 0) {
            return Serving.NO;
        }
        return worldSize == 0 ? Serving.IF_NOBODY_DOES : Serving.YES;
    }
}
