package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.runtime.store.TcpStore.Serving;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Opens the store that a rendezvous address names. One instance serves the JVM: it holds the stores
 * of {@code inproc://} addresses.
 */
public final class StoreFactory {
    private static final String FORMS = "tcp://host:port, file:///path, inproc://name or env://";

    private static final Pattern HOST_AND_PORT = Pattern.compile("(.+):(\\d{1,5})");
    private static final int MAX_PORT = 65535;
    private static final int MAX_CONNECTIONS = 4096; // in a dynamic group
    private static final int SPARE_CONNECTIONS = 16;

    private final Map<String, InprocStore.Table> tables = new HashMap<>(); // guarded by itself
    private final Function<String, String> environment;

    public StoreFactory() {
        this(name -> System.getenv().getOrDefault(name, ""));
    }

    StoreFactory(Function<String, String> environment) {
        this.environment = environment;
    }

    /**
     * Open a store.
     *
     * @param rank rank 0 serves a {@code tcp://} store, the others connect to it
     * @param worldSize the number of workers that open it; 0 in a dynamic group
     * @param security of a {@code tcp://} store; not used by the others
     * @param timeout of the wait for the worker that serves it
     */
    public GroupStore open(
            String address, int rank, int worldSize, StoreSecurity security, Duration timeout) {
        URI uri = parse(address);
        return switch (uri.getScheme()) {
            case "env" -> open(fromEnvironment(), rank, worldSize, security, timeout);
            case "tcp" -> tcp(uri, address, rank, worldSize, security, timeout);
            case "file" -> file(path(uri, address));
            case "inproc" -> inproc(uri, address, rank, worldSize);
            case null, default -> throw wrong(address);
        };
    }

    /**
     * {@return the address of a store that other hosts can reach, as {@code tcp://host:port}; empty
     * for a store on the loopback interface, in a file or in this JVM}
     *
     * <p>A host counts as reachable unless all its addresses are loopback addresses; a name that
     * cannot be resolved counts as reachable.
     */
    public Optional<String> networkAddress(String address) {
        URI uri = parse(address);
        return switch (uri.getScheme()) {
            case "env" -> networkAddress(fromEnvironment());
            case "tcp" ->
                    isLoopback(hostAndPort(uri, address).group(1))
                            ? Optional.empty()
                            : Optional.of(address);
            case null, default -> Optional.empty(); // files, and addresses that open refuses
        };
    }

    private static boolean isLoopback(String host) {
        try {
            return Stream.of(InetAddress.getAllByName(host))
                    .allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException _) {
            return false;
        }
    }

    private static GroupStore tcp(
            URI uri,
            String address,
            int rank,
            int worldSize,
            StoreSecurity security,
            Duration timeout) {
        Matcher hostAndPort = hostAndPort(uri, address);
        return TcpStore.open(
                hostAndPort.group(1),
                Integer.parseInt(hostAndPort.group(2)),
                serving(rank, worldSize),
                maxConnections(worldSize),
                security,
                timeout);
    }

    /** The host is not {@link URI#getHost}, which refuses names with an underscore. */
    private static Matcher hostAndPort(URI uri, String address) {
        Matcher hostAndPort =
                HOST_AND_PORT.matcher(Objects.requireNonNullElse(uri.getAuthority(), ""));
        if (!hostAndPort.matches()) {
            throw wrong(address);
        }
        int port = Integer.parseInt(hostAndPort.group(2));
        if (port < 1 || port > MAX_PORT) {
            throw wrong(address);
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

    private GroupStore file(Path path) {
        return new FileStore(path);
    }

    private static Path path(URI uri, String address) {
        if (uri.getAuthority() != null || uri.getPath() == null || uri.getPath().length() < 2) {
            throw wrong(address);
        }
        return Path.of(uri.getPath()).toAbsolutePath().normalize();
    }

    private GroupStore inproc(URI uri, String address, int rank, int worldSize) {
        if (uri.getAuthority() == null) {
            throw wrong(address);
        }
        return new InprocStore(address, tables, rank, worldSize);
    }

    private String fromEnvironment() {
        String host = environment.apply("MASTER_ADDR");
        String port = environment.apply("MASTER_PORT");
        if (host.isBlank() || port.isBlank()) {
            throw new RpcConfigurationException(
                    "rendezvous env:// needs the environment variables MASTER_ADDR and MASTER_PORT, but MASTER_ADDR is '%s' and MASTER_PORT is '%s'; set them, or set gradwire.rendezvous"
                            .formatted(host, port));
        }
        return "tcp://" + host + ":" + port;
    }

    private static URI parse(String address) {
        try {
            return address.equals("env://") ? new URI("env", "", "/", null) : URI.create(address);
        } catch (IllegalArgumentException | URISyntaxException _) {
            throw wrong(address);
        }
    }

    private static RpcConfigurationException wrong(String address) {
        return new RpcConfigurationException(
                "gradwire.rendezvous=%s must have the form %s".formatted(address, FORMS));
    }
}
