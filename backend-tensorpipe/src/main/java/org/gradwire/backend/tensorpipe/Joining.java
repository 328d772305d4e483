package org.gradwire.backend.tensorpipe;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.exceptions.AeronException;
import io.aeron.protocol.DataHeaderFlyweight;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Store;
import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** How a worker and its peers come together: addresses in the store, a log to each, greetings. */
final class Joining {
    private static final String ADDRESS = "tensorpipe/address/";

    private final Engine engine;
    private final WorkerInfo self;
    private final Store store;
    private final Options options;
    private final Aeron aeron;
    private final DriverDirectory directory;
    private final @Nullable Doorbell driverBell;
    private int ipcTermLength; // guarded by this
    private final Address address;
    private final SecureRandom random = new SecureRandom();

    Joining(
            Engine engine,
            AgentContext context,
            Options options,
            Identity identity,
            DriverConnector.Connection connection,
            boolean hasBell,
            int tcpPort) {
        this.engine = engine;
        self = context.self();
        store = context.store();
        this.options = options;
        aeron = connection.aeron();
        directory = connection.directory();
        driverBell = Doorbell.find(directory.driverBell());
        address =
                new Address(
                        identity.incarnation(),
                        HostIdentity.self(),
                        directory.path() + "#" + connection.driver().startMillis(),
                        ProcessIdentity.self(),
                        hasBell,
                        connection.ipc().streamId(),
                        connection.udp().streamId(),
                        connection.udpEndpoint(),
                        tcpPort);
    }

    /** A member to which a log is being made. */
    private record Newcomer(
            WorkerInfo info, Address address, Peer.Transport transport, long registration) {}

    /** Leave the own address in the store. */
    void publishAddress() {
        store.set(ADDRESS + self.id(), address.encode());
    }

    /** Make a log to each member that has none yet, and wait until all have been greeted. */
    synchronized void connect(List<WorkerInfo> members) {
        long deadline = System.nanoTime() + options.connectTimeoutNanos();
        Map<WorkerInfo, Address> addresses = readAddresses(members, deadline);
        int neighbours = (int) addresses.values().stream().filter(this::isByMemory).count();
        ipcTermLength = options.ipcTermLength(SharedMemory.total(directory.path()), 1 + neighbours);
        List<Newcomer> newcomers = new ArrayList<>();
        addresses.forEach((member, found) -> {
            if (isNew(member, found)) {
                newcomers.add(beginLog(member, found));
            }
        });
        if (driverBell != null) {
            driverBell.ring();
        }
        List<Peer> peers = new ArrayList<>();
        for (Newcomer newcomer : newcomers) {
            peers.add(peer(newcomer, awaitLog(newcomer, deadline)));
        }
        peers.forEach(engine::add);
        peers.forEach(peer -> awaitOpen(peer, deadline));
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
        engine.loseSoon(
                known,
                new RpcConnectionException(
                        "Connection reset by peer %s: it was restarted".formatted(known.label())));
        return true;
    }

    private boolean isByMemory(Address to) {
        return !options.forceUdp() && to.sharesDriverWith(address);
    }

    private Newcomer beginLog(WorkerInfo member, Address to) {
        boolean isIpc = isByMemory(to);
        boolean rings = isIpc && to.hasBell() && LibC.isAvailable();
        var transport =
                new Peer.Transport(
                        isIpc,
                        to.host().equals(address.host()),
                        rings,
                        address.hasBell() && driverServesSockets());
        String channel =
                isIpc
                        ? "aeron:ipc?term-length=%d|mtu=%d"
                                .formatted(ipcTermLength, Options.ipcMtu(ipcTermLength))
                        : udpChannel(to);
        int stream = isIpc ? to.ipcStream() : to.udpStream();
        return new Newcomer(
                member, to, transport, aeron.asyncAddExclusivePublication(channel, stream));
    }

    private String udpChannel(Address to) {
        return "aeron:udp?endpoint=%s|term-length=%d|mtu=%d|%s=%d"
                .formatted(
                        to.udpEndpoint(),
                        options.udpTermLength(),
                        driverServesSockets() ? options.udpMtu() : options.datagramBytes(),
                        WatchedSender.DATAGRAM,
                        options.datagramBytes());
    }

    private boolean driverServesSockets() {
        return driverBell != null && driverBell.note() == DriverKeeper.SERVES_SOCKETS;
    }

    private ExclusivePublication awaitLog(Newcomer newcomer, long deadline) {
        long start = System.nanoTime();
        while (System.nanoTime() - deadline < 0 && engine.isRunning()) {
            try {
                ExclusivePublication log = aeron.getExclusivePublication(newcomer.registration);
                if (log != null) {
                    return log;
                }
            } catch (AeronException e) {
                throw noLog(newcomer, e);
            }
            Patience.pause(start);
        }
        throw new RpcConnectionException(
                "the media driver in %s made no log to %s"
                        .formatted(directory.path(), newcomer.info));
    }

    private RpcConfigurationException noLog(Newcomer newcomer, AeronException cause) {
        boolean isIpc = newcomer.transport.isIpc();
        boolean isRoom = String.valueOf(cause.getMessage()).contains("storage");
        String why =
                isRoom
                        ? SharedMemory.noRoomForLog(
                                directory.path(),
                                isIpc ? ipcTermLength : options.udpTermLength(),
                                isIpc ? Keys.TERM_LENGTH : Keys.UDP_TERM_LENGTH)
                        : String.valueOf(cause.getMessage());
        return new RpcConfigurationException(
                "the media driver cannot make a log to %s: %s".formatted(newcomer.info, why),
                cause);
    }

    private Peer peer(Newcomer newcomer, ExclusivePublication log) {
        Doorbell bell =
                newcomer.transport.rings()
                        ? Doorbell.find(directory.bell(newcomer.address.incarnation()))
                        : null;
        var transport =
                new Peer.Transport(
                        newcomer.transport.isIpc(),
                        newcomer.transport.isOnThisHost(),
                        bell != null,
                        newcomer.transport.rungByDriver());
        var events = new PeerEvents(engine);
        // Over UDP the driver reads, to send.
        Doorbell readersBell = transport.isIpc() ? bell : driverBell;
        int maxFrame =
                transport.isIpc()
                        ? log.maxPayloadLength()
                        : options.datagramBytes() - DataHeaderFlyweight.HEADER_LENGTH;
        var outbox =
                new Outbox(
                        log,
                        maxFrame,
                        readersBell,
                        transport.isIpc() ? driverBell : null,
                        options.sendQueueBytes(),
                        events);
        var peer =
                new Peer(
                        newcomer.info,
                        newcomer.address,
                        transport,
                        outbox,
                        Nonce.random(random),
                        new Guard(Nonce.random(random)),
                        bulkReader(newcomer));
        events.setPeer(peer);
        return peer;
    }

    private @Nullable BulkReader bulkReader(Newcomer newcomer) {
        Address holder = newcomer.address;
        if (newcomer.transport.isIpc() || holder.tcpPort() == 0 || !options.tcp()) {
            return null;
        }
        return new BulkReader(
                "gradwire-%s-bulk-%d".formatted(self.name(), newcomer.info.id()),
                new InetSocketAddress(holder.udpHost(), holder.tcpPort()),
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
                                peer.transport().isIpc()
                                        ? "shared memory"
                                        : "UDP at " + peer.address().udpEndpoint(),
                                peer.hello() != null,
                                peer.helloSent()));
    }
}
