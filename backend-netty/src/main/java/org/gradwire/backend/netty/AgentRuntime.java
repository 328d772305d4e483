package org.gradwire.backend.netty;

import io.netty.channel.Channel;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.CertificateMonitor;
import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The state of an agent from its start to its end: its loop, its peers, and the parts that connect
 * them.
 *
 * <p>Peers are added, opened and lost on the loop.
 */
final class AgentRuntime
        implements Acceptor.Peers,
                Connector.Peers,
                Dialer.Peers,
                MessageDispatcher.Peers,
                PeerCertificates.Peers {
    private static final int HEARTBEATS = 4; // in the time after which a peer is lost

    private final WorkerInfo self;
    private final NettyOptions options;
    private final PendingCalls pending;
    private final AgentMetrics metrics;
    private final Identity identity;
    private final AgentLoop loop;
    private final ReceiveBudget budget;
    private final MessageDispatcher dispatcher;
    private final Acceptor acceptor;
    private final Dialer dialer;
    private final @Nullable PeerCertificates certificates; // null without TLS
    private final AddressStore addresses;
    private final Connector connector;
    private final Loopback loopback;
    private final Map<Integer, Peer> peers = new ConcurrentHashMap<>();
    private long lastCheckNanos = System.nanoTime();
    private volatile boolean isClosed;

    AgentRuntime(
            AgentContext context,
            NettyOptions options,
            PendingCalls pending,
            AgentMetrics metrics,
            AgentListener listener) {
        this.options = options;
        this.pending = pending;
        this.metrics = metrics;
        self = context.self();
        MessageLimits limits = options.limits();
        identity = Identity.create(self.id(), options, context.store());
        budget = new ReceiveBudget(limits.receiveBytes());
        dispatcher =
                new MessageDispatcher(
                        listener,
                        pending,
                        context.allocator(),
                        budget,
                        limits.maxMessageBytes(),
                        metrics,
                        this);
        loop =
                new AgentLoop(
                        "gradwire-netty-" + self.name(),
                        pending,
                        dispatcher::delivered,
                        interval(options),
                        this::checkLiveness);
        Tls tls = options.tls();
        dialer = new Dialer(identity, loop, tls, this);
        certificates =
                tls == null
                        ? null
                        : new PeerCertificates(self.id(), tls, loop, dialer, metrics, this);
        acceptor = new Acceptor(identity, loop, tls, certificates, metrics, this);
        addresses = new AddressStore(context.store());
        connector = new Connector(self, options, loop, addresses, acceptor, this);
        loopback = new Loopback(loop, dispatcher, context.allocator(), limits, pending, metrics);
    }

    /**
     * Listen, and publish the address in the store.
     *
     * @throws RpcConfigurationException when it cannot listen
     */
    void start() {
        loop.start();
        try {
            InetSocketAddress listening = acceptor.listen(options.host().address(), options.port());
            addresses.publish(
                    self, new Address(identity.incarnation(), listening, options.tls() != null));
        } catch (RuntimeException | Error e) {
            close(); // a worker that did not start leaves no thread
            throw e;
        }
    }

    /** {@return the port at which it listens, or 0} */
    int port() {
        return acceptor.port();
    }

    Loopback loopback() {
        return loopback;
    }

    /** {@return bytes of memory that messages hold while they arrive} */
    long arrivingBytes() {
        return budget.totalBytes();
    }

    @Override
    public @Nullable Peer find(int id) {
        return peers.get(id);
    }

    @Override
    public Collection<Peer> peers() {
        return peers.values();
    }

    boolean isClosed() {
        return isClosed;
    }

    // ---- connecting

    /** Connect to members; see {@link org.gradwire.spi.RpcAgent#connect}. */
    void connect(List<WorkerInfo> members) {
        connector.connect(members);
    }

    @Override
    public Peer register(WorkerInfo member, Address address) {
        Peer known = peers.get(member.id());
        if (known != null && !known.isLost()) {
            if (known.address().incarnation() == address.incarnation()) {
                return known;
            }
            lose(known, "another worker has its id");
        }
        var peer = new Peer(member, address, options.limits().sendQueueBytes());
        peers.put(member.id(), peer);
        if (self.id() > member.id()) {
            dialer.dial(peer);
        } else {
            acceptor.admitEarly(peer);
        }
        return peer;
    }

    @Override
    public Lane open(Channel channel, Peer peer, boolean isForLarge, SharedSecret renewalSecret) {
        var lane = new Lane(channel, peer, dispatcher, loop.policy());
        if (options.tls() != null) {
            peer.renewal().open(Tls.exchanged(channel), renewalSecret);
        }
        peer.setLane(lane, isForLarge);
        return lane;
    }

    // ---- loss

    /** Disconnect a member; see {@link org.gradwire.spi.RpcAgent#disconnect}. */
    void disconnect(int member) {
        Peer peer = peers.get(member);
        if (peer != null) {
            loop.runAndWait(() -> {
                lose(peer, "this worker has disconnected it");
                peers.remove(member, peer);
            });
        }
    }

    @Override
    public void refuse(Peer peer, String reason) {
        lose(
                peer,
                new RpcConfigurationException(
                        "%s is refused: %s; set the same %s on all workers"
                                .formatted(peer, reason, Settings.AUTHENTICATION_TOKEN)));
    }

    @Override
    public void lose(Peer peer, String reason) {
        lose(peer, PendingCalls.lost(peer.info(), reason));
    }

    @Override
    public void lose(Peer peer, RpcException reason) {
        boolean wasOpen = peer.isOpen();
        if (!peer.setLost(reason)) {
            return;
        }
        pending.failPeer(peer.id(), () -> lossOf(peer));
        peer.closeLanes();
        if (wasOpen && !isClosed) {
            dispatcher.notifyLost(peer, reason);
        }
        peer.endOpening();
    }

    /** {@return the failure of a call to a lost peer, with its own stack trace} */
    static RpcException lossOf(Peer peer) {
        RpcException reason = peer.lossReason();
        String text = reason == null ? "it is lost" : String.valueOf(reason.getMessage());
        return reason instanceof RpcConfigurationException
                ? new RpcConfigurationException(text)
                : new RpcConnectionException(text);
    }

    private static long interval(NettyOptions options) {
        long ofHeartbeats = options.livenessNanos() / HEARTBEATS;
        return options.tls() == null
                ? ofHeartbeats
                : Math.min(ofHeartbeats, CertificateMonitor.INTERVAL_NANOS);
    }

    private void checkLiveness() {
        long now = System.nanoTime();
        boolean wasSuspended = now - lastCheckNanos > options.livenessNanos() / 2;
        lastCheckNanos = now;
        if (certificates != null) {
            certificates.onTick(now);
        }
        for (Peer peer : peers.values()) {
            if (!peer.isOpen()) {
                continue;
            }
            if (wasSuspended) {
                peer.onActivity(now); // this worker could not receive heartbeats
            }
            long silent = now - peer.lastActivityNanos();
            if (silent > options.livenessNanos()) {
                lose(peer, "silent for %d ms".formatted(silent / 1_000_000));
            } else {
                peer.send(OutboundFrame.heartbeat());
            }
        }
    }

    // ---- messages

    @Override
    public void reply(Peer peer, long id, Message reply) {
        if (peer.isLost() || isClosed) {
            reply.release();
            return;
        }
        String excess = options.limits().excessOf(reply);
        if (excess != null) {
            reply.release();
            metrics.messagesRefused.increment();
            peer.send(
                    OutboundFrame.text(
                            FrameHeader.Kind.REJECT,
                            id,
                            RpcErrorKind.REFUSED.code(),
                            "the reply: " + excess));
            return;
        }
        if (!peer.waiting().tryCharge(reply, true)) {
            reply.release();
            loop.execute(() ->
                    lose(
                            peer,
                            "it does not read the replies to its calls, of which %d bytes wait"
                                    .formatted(peer.waiting().bytes())));
            return;
        }
        send(peer, FrameHeader.Kind.REPLY, id, reply);
    }

    /** Send a message that is charged. */
    void send(Peer peer, FrameHeader.Kind kind, long id, Message message) {
        metrics.sent(message);
        SendBudget charged = peer.waiting();
        peer.send(
                new OutboundFrame(
                        kind,
                        id,
                        message,
                        () -> {
                            charged.release(message);
                            message.release();
                        }));
        loop.writeIfPollerStandsBy();
    }

    /** Run the loop once; see {@link org.gradwire.spi.RpcAgent#poll}. */
    int poll() {
        return loop.poll();
    }

    // ---- end

    /** Close the agent; see {@link org.gradwire.spi.RpcAgent#close}. */
    void close() {
        isClosed = true;
        dispatcher.stop();
        loop.runAndWait(this::closeOnLoop);
        loop.close();
        pending.failAll(() -> PendingCalls.closed(self.id(), 0)); // those added in the meantime
    }

    private void closeOnLoop() {
        acceptor.close();
        pending.failAll(() -> PendingCalls.closed(self.id(), 0));
        for (Peer peer : peers.values()) {
            peer.sendGoodbye();
            lose(peer, "this worker has closed");
        }
    }
}
