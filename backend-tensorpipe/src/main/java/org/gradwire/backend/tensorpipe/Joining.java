package org.gradwire.backend.tensorpipe;

import io.aeron.protocol.DataHeaderFlyweight;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Store;
import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** How a worker learns of its peers: their addresses in the store, and ways to them. */
final class Joining {
    private static final String ADDRESS = "tensorpipe/address/";

    private final Engine engine;
    private final WorkerInfo self;
    private final Identity identity;
    private final Store store;
    private final Options options;
    private final DriverDirectory directory;
    private final @Nullable Doorbell driverBell;
    private final Address address;
    private final NetworkEndpoint endpoint;
    private final EndpointExchange endpoints;
    private final SecureRandom random = new SecureRandom();

    Joining(
            Engine engine,
            AgentContext context,
            Options options,
            Identity identity,
            DriverConnector.Connection connection,
            boolean hasBell,
            NetworkEndpoint endpoint) {
        this.engine = engine;
        self = context.self();
        this.identity = identity;
        store = context.store();
        this.options = options;
        directory = connection.directory();
        driverBell = Doorbell.find(directory.driverBell());
        address =
                new Address(
                        identity.incarnation(),
                        OperatingSystem.current().host(directory),
                        directory.path() + "#" + connection.driver().startMillis(),
                        ProcessIdentity.self(),
                        hasBell,
                        !options.forceUdp(),
                        connection.ipcStream());
        this.endpoint = endpoint;
        endpoints = new EndpointExchange(endpoint, self, address, store);
    }

    /** Leave the own address in the store. */
    void publishAddress() {
        store.set(ADDRESS + self.id(), address.encode());
    }

    /**
     * Enter each member that is new, and wait until those are reached that are not left for later.
     */
    synchronized void connect(List<WorkerInfo> members) {
        long deadline = System.nanoTime() + options.connectTimeoutNanos();
        endpoints.begin();
        Map<WorkerInfo, Address> addresses = readAddresses(members, deadline);
        var neighbours = new Neighbours(addresses);
        List<Peer> byMemory = new ArrayList<>();
        Map<WorkerInfo, Address> elsewhere = new LinkedHashMap<>();
        addresses.forEach((member, found) -> {
            if (!isNew(member, found)) {
                return;
            }
            if (found.sharesMemoryWith(address)) {
                byMemory.add(peer(member, found, ipcRoute(member, found, neighbours), null));
            } else {
                elsewhere.put(member, found);
            }
        });
        List<Peer> eager = enter(byMemory);
        if (!elsewhere.isEmpty()) {
            eager.addAll(enterByNetwork(endpoints.publish(), elsewhere, deadline));
        }
        eager.forEach(peer -> awaitOpen(peer, deadline));
    }

    /** Enter peers, and return those of them that are being connected. */
    private List<Peer> enter(List<Peer> newcomers) {
        engine.addAll(newcomers);
        var eager = new ArrayList<Peer>();
        newcomers.stream().filter(peer -> peer.route().isEager()).forEach(eager::add);
        eager.forEach(engine::approach);
        return eager;
    }

    /** Of several that cannot be entered the first one is the failure, after all others. */
    private List<Peer> enterByNetwork(
            NetworkAddress own, Map<WorkerInfo, Address> members, long deadline) {
        var eager = new ArrayList<Peer>();
        var failures = new ArrayList<RpcException>();
        members.forEach((member, found) -> {
            try {
                NetworkAddress at = endpoints.await(member, found, deadline);
                Route route = udpRoute(found, own, at);
                expect(own, route);
                BulkReader bulk = bulkReader(member, found, own, at);
                eager.addAll(enter(List.of(peer(member, found, route, bulk))));
            } catch (RpcException e) {
                failures.add(e);
            }
        });
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
        return eager;
    }

    /** Sessions may come from the hosts of all peers over UDP, and of one more. */
    private void expect(NetworkAddress own, Route newcomer) {
        List<InetAddress> hosts = new ArrayList<>(List.of(newcomer.host()));
        engine.peers().stream()
                .filter(peer -> !peer.isLost() && !peer.route().isIpc())
                .forEach(peer -> hosts.add(peer.route().host()));
        endpoint.expect(own, hosts);
    }

    /** A member has left the group. For any thread. */
    void onLeft(int member) {
        endpoints.onLeft(member);
    }

    /** What there is to know of all those that share this worker's driver. */
    private final class Neighbours {
        private final int first; // of their ids and the own one
        private final int termLength;

        Neighbours(Map<WorkerInfo, Address> newcomers) {
            var ids = new TreeSet<>(List.of(self.id()));
            engine.peers().stream()
                    .filter(peer -> !peer.isLost() && peer.route().isIpc())
                    .forEach(peer -> ids.add(peer.id()));
            newcomers.forEach((member, found) -> {
                if (found.sharesMemoryWith(address)) {
                    ids.add(member.id());
                }
            });
            first = ids.first();
            termLength = options.ipcTermLength(SharedMemory.total(directory.path()), ids.size());
        }

        /**
         * {@return whether a member is to be reached at once} The first neighbour and all others
         * are, so that a worker that does not fit in is found when it comes. The logs between those
         * others would grow with the square of their number.
         */
        boolean isEager(int id) {
            return id == first || self.id() == first;
        }
    }

    private Map<WorkerInfo, Address> readAddresses(List<WorkerInfo> members, long deadline) {
        Map<WorkerInfo, Address> addresses = new LinkedHashMap<>();
        for (WorkerInfo member : members) {
            if (member.id() != self.id()) {
                addresses.put(member, readAddress(member, deadline));
            }
        }
        return addresses;
    }

    private Address readAddress(WorkerInfo member, long deadline) {
        long nanos = Math.max(1, deadline - System.nanoTime());
        byte[] bytes = store.get(ADDRESS + member.id(), Duration.ofNanos(nanos));
        try {
            return Address.decode(bytes);
        } catch (DecodingException e) {
            throw new RpcConfigurationException(
                    "the address of %s cannot be used: %s".formatted(member, e.getMessage()), e);
        }
    }

    /** {@return whether this incarnation was not met before; an earlier one is given up} */
    private boolean isNew(WorkerInfo member, Address found) {
        Peer known = engine.find(member.id());
        if (known == null) {
            return true;
        }
        if (known.address().incarnation() == found.incarnation()) {
            return false;
        }
        // Now, since calls to the new one are not to fail with it.
        engine.loseNow(
                known,
                new RpcConnectionException(
                        "Connection reset by peer %s: it was restarted".formatted(known.label())));
        return true;
    }

    private Peer peer(WorkerInfo member, Address to, Route route, @Nullable BulkReader bulk) {
        var events = new PeerEvents(engine);
        var peer =
                new Peer(
                        member,
                        to,
                        route,
                        new Outbox(
                                route.maxFrame(),
                                options.sendQueueBytes(),
                                engine.sendBudget(),
                                events),
                        Nonce.random(random),
                        Nonce.random(random),
                        bulk);
        events.setPeer(peer);
        return peer;
    }

    private Route ipcRoute(WorkerInfo member, Address to, Neighbours neighbours) {
        int termLength = neighbours.termLength;
        int mtu = Options.ipcMtu(termLength);
        boolean rings = to.hasBell() && LibC.isAvailable();
        return new Route(
                true,
                true,
                !rings || neighbours.isEager(member.id()),
                address.hasBell() && driverServesSockets(),
                rings ? directory.bell(to.incarnation()) : null,
                "aeron:ipc?term-length=%d|mtu=%d".formatted(termLength, mtu),
                to.ipcStream(),
                termLength,
                mtu - DataHeaderFlyweight.HEADER_LENGTH);
    }

    private Route udpRoute(Address to, NetworkAddress own, NetworkAddress at) {
        return new Route(
                false,
                to.host().equals(address.host()),
                true,
                address.hasBell() && driverServesSockets(),
                null,
                udpChannel(own, at),
                at.udpStream(),
                options.udpTermLength(),
                options.datagramBytes() - DataHeaderFlyweight.HEADER_LENGTH);
    }

    private String udpChannel(NetworkAddress own, NetworkAddress at) {
        return "aeron:udp?endpoint=%s|interface=%s|term-length=%d|mtu=%d|%s=%d"
                .formatted(
                        at.udpEndpoint(),
                        own.bracketedHost(), // from where the peer expects it
                        options.udpTermLength(),
                        driverServesSockets() ? options.udpMtu() : options.datagramBytes(),
                        WatchedSender.DATAGRAM,
                        options.datagramBytes());
    }

    private boolean driverServesSockets() {
        return driverBell != null && driverBell.note() == DriverKeeper.SERVES_SOCKETS;
    }

    private @Nullable BulkReader bulkReader(
            WorkerInfo member, Address to, NetworkAddress own, NetworkAddress holder) {
        if (holder.tcpPort() == 0 || !options.tcp()) {
            return null;
        }
        return new BulkReader(
                "gradwire-%s-bulk-%d".formatted(self.name(), member.id()),
                InetAddress.ofLiteral(own.host()),
                new InetSocketAddress(holder.host(), holder.tcpPort()),
                new BulkAuthenticator(identity),
                new Authenticator.Party(member.id(), to.incarnation()),
                options.livenessNanos());
    }

    private void awaitOpen(Peer peer, long deadline) {
        try {
            peer.opened().get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw peer.closedFailure();
        } catch (TimeoutException e) {
            var failure = notReached(peer);
            engine.loseSoon(peer, failure);
            throw failure;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while connecting to " + peer.label());
        }
    }

    private RpcConnectionException notReached(Peer peer) {
        return new RpcConnectionException(
                "%s could not be reached in %d ms, by %s (greeted by it: %s, heard by it: %s)"
                        .formatted(
                                peer.label(),
                                options.connectTimeoutNanos() / 1_000_000,
                                peer.route().isIpc()
                                        ? "shared memory"
                                        : "UDP at %s, from the address that each has in the store and with %s of %d at the other end, or less"
                                                .formatted(
                                                        peer.route().endpoint(),
                                                        Keys.UDP_TERM_LENGTH,
                                                        options.udpTermLength()),
                                peer.hello() != null,
                                peer.helloSent()));
    }
}
