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
import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The inside of an agent that was started: its loop, its peers, and what joins them.
 *
 * <p>Peers come, are connected and are lost on the loop.
 */
final class Engine implements Acceptor.Peers, Dialer.Peers, Inbox.Peers {
    private static final int BEATS = 4; // signs of life in the time after which a peer is lost

    private final WorkerInfo self;
    private final Options options;
    private final PendingCalls pending;
    private final Statistics statistics;
    private final Identity identity;
    private final Loop loop;
    private final ReceiveBudget budget;
    private final Inbox inbox;
    private final Acceptor acceptor;
    private final Dialer dialer;
    private final Addresses addresses;
    private final Loopback loopback;
    private final Map<Integer, Peer> peers = new ConcurrentHashMap<>();
    private final long beatNanos;
    private long lastLookNanos = System.nanoTime();
    private volatile boolean isClosed;
    private @Nullable InetSocketAddress address;

    Engine(
            AgentContext context,
            Options options,
            PendingCalls pending,
            Statistics statistics,
            AgentListener listener) {
        this.options = options;
        this.pending = pending;
        this.statistics = statistics;
        self = context.self();
        identity = Identity.take(self.id(), options, context.store());
        beatNanos = options.livenessNanos() / BEATS;
        loop = new Loop("gradwire-netty-" + self.name(), pending, beatNanos, this::lookAtPeers);
        budget = new ReceiveBudget(options.receiveBytes());
        inbox =
                new Inbox(
                        listener, pending, context.allocator(), budget, options, statistics, this);
        acceptor = new Acceptor(identity, loop, options.tls(), statistics, this);
        dialer = new Dialer(identity, loop, options.tls(), this);
        addresses = new Addresses(context.store());
        loopback =
                new Loopback(
                        self.id(),
                        this,
                        pending,
                        statistics,
                        new SendBudget(options.sendQueueBytes()));
    }

    /**
     * Listen, and leave the address in the store.
     *
     * @throws RpcConfigurationException when it cannot listen
     */
    void start() {
        loop.start();
        try {
            InetSocketAddress listening = acceptor.listen(options.host().address(), options.port());
            address = listening;
            addresses.leave(
                    self.id(),
                    new Address(identity.incarnation(), listening, options.tls() != null));
        } catch (RuntimeException | Error e) {
            close(); // a worker that did not start leaves no thread
            throw e;
        }
    }

    int port() {
        InetSocketAddress listening = address;
        return listening == null ? 0 : listening.getPort();
    }

    Loop loop() {
        return loop;
    }

    Inbox inbox() {
        return inbox;
    }

    Loopback loopback() {
        return loopback;
    }

    ReceiveBudget budget() {
        return budget;
    }

    @Override
    public @Nullable Peer find(int id) {
        return peers.get(id);
    }

    Iterable<Peer> peers() {
        return peers.values();
    }

    boolean isClosed() {
        return isClosed;
    }

    // ---- peers that come

    /** As {@link org.gradwire.spi.RpcAgent#connect}. */
    void connect(List<WorkerInfo> members) {
        long deadline = System.nanoTime() + options.connectTimeoutNanos();
        List<Peer> entered =
                members.stream()
                        .filter(member -> member.id() != self.id())
                        .map(member -> enter(member, addresses.of(member, deadline)))
                        .toList();
        for (Peer peer : entered) {
            awaitOpen(peer, deadline);
        }
    }

    private Peer enter(WorkerInfo member, Address at) {
        if (at.isEncrypted() != (options.tls() != null)) {
            throw new RpcConfigurationException(
                    "%s at %s %s TLS, and %s does not agree; set %s, %s and %s on all workers, or on none"
                            .formatted(
                                    member,
                                    at,
                                    at.isEncrypted() ? "speaks" : "does not speak",
                                    self,
                                    Keys.CERTIFICATE,
                                    Keys.KEY,
                                    Keys.TRUST));
        }
        var entered = new Peer[1];
        loop.runAndWait(() -> entered[0] = enterOnLoop(member, at));
        if (entered[0] == null) {
            throw PendingCalls.closed(self.id(), 0);
        }
        return entered[0];
    }

    private Peer enterOnLoop(WorkerInfo member, Address at) {
        Peer known = peers.get(member.id());
        if (known != null && !known.isLost()) {
            if (known.address().incarnation() == at.incarnation()) {
                return known;
            }
            lose(known, "another worker has its id");
        }
        var peer = new Peer(member, at, options.sendQueueBytes());
        peers.put(member.id(), peer);
        if (self.id() > member.id()) {
            dialer.dial(peer);
        } else {
            acceptor.admitEarly(peer);
        }
        return peer;
    }

    private void awaitOpen(Peer peer, long deadline) {
        boolean isOver;
        try {
            isOver = peer.awaitOpen(deadline - System.nanoTime());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while connecting to " + peer);
        }
        if (!isOver) {
            var failure = notReached(peer);
            loop.runAndWait(() -> lose(peer, failure));
            throw failure;
        }
        RpcException lost = peer.lostBy();
        if (lost != null) {
            throw lost;
        }
    }

    private RpcConnectionException notReached(Peer peer) {
        String how =
                self.id() > peer.id()
                        ? "at %s: %s".formatted(peer.address(), peer.obstacle())
                        : "which has to connect to this worker at %s port %d%s"
                                .formatted(
                                        options.host().address().getHostAddress(),
                                        port(),
                                        lastRefusal());
        return new RpcConnectionException(
                "%s could not be reached in %d ms, %s%s"
                        .formatted(
                                peer,
                                options.connectTimeoutNanos() / 1_000_000,
                                how,
                                onLoopbackOnly(peer)));
    }

    private String lastRefusal() {
        String refusal = acceptor.lastRefusal();
        if (refusal.isEmpty()) {
            return "";
        }
        return options.tls() == null
                ? "; " + refusal
                : "; %s; see %s, %s and %s of both workers"
                        .formatted(refusal, Keys.CERTIFICATE, Keys.KEY, Keys.TRUST);
    }

    private String onLoopbackOnly(Peer peer) {
        boolean isLoopback = peer.address().socket().getAddress().isLoopbackAddress();
        return isLoopback && options.tls() == null
                ? "; it listens for workers of its own host only: for others set %s, or %s=true"
                        .formatted(Keys.CERTIFICATE, Keys.PLAIN)
                : "";
    }

    @Override
    public Lane open(Channel channel, Peer peer, boolean isForLarge) {
        var lane = new Lane(channel, peer, inbox);
        peer.setLane(lane, isForLarge);
        return lane;
    }

    // ---- peers that go

    /** As {@link org.gradwire.spi.RpcAgent#disconnect}. */
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
    public void refuse(Peer peer, String why) {
        lose(
                peer,
                new RpcConfigurationException(
                        "%s is refused: %s; set the same %s on all workers"
                                .formatted(peer, why, Settings.AUTHENTICATION_TOKEN)));
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
        pending.failPeer(peer.id(), () -> again(peer));
        peer.closeLanes();
        if (wasOpen && !isClosed) {
            inbox.tellLost(peer, reason);
        }
        peer.endOpening();
    }

    /** {@return the failure of a call to a lost peer, with a stack trace of its own} */
    static RpcException again(Peer peer) {
        RpcException lost = peer.lostBy();
        String text = lost == null ? "it is lost" : String.valueOf(lost.getMessage());
        return lost instanceof RpcConfigurationException
                ? new RpcConfigurationException(text)
                : new RpcConnectionException(text);
    }

    private void lookAtPeers() {
        long now = System.nanoTime();
        boolean wasAsleep = now - lastLookNanos > options.livenessNanos() / 2;
        lastLookNanos = now;
        for (Peer peer : peers.values()) {
            if (!peer.isOpen()) {
                continue;
            }
            if (wasAsleep) {
                peer.onHeard(now); // this worker could not hear anybody
            }
            long silent = now - peer.heardNanos();
            if (silent > options.livenessNanos()) {
                lose(peer, "no sign of life for %d ms".formatted(silent / 1_000_000));
            } else {
                peer.send(Outgoing.heartbeat());
            }
        }
    }

    // ---- replies

    @Override
    public void reply(Peer peer, long id, Message reply) {
        if (peer.isLost() || isClosed) {
            reply.release();
            return;
        }
        String refusal = oversize(reply);
        if (refusal != null) {
            reply.release();
            statistics.messagesRefused.increment();
            peer.send(
                    Outgoing.text(
                            FrameHeader.Kind.REJECT,
                            id,
                            RpcErrorKind.REFUSED.code(),
                            "the reply: " + refusal));
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
        statistics.sent(message);
        SendBudget charged = peer.waiting();
        peer.send(
                new Outgoing(
                        kind,
                        id,
                        message,
                        () -> {
                            charged.giveBack(message);
                            message.release();
                        }));
    }

    /** {@return why a message cannot be sent; null when it can} */
    @Nullable String oversize(Message message) {
        if (message.byteSize() > options.maxMessageBytes()) {
            return "message of %d bytes refused: %s=%d"
                    .formatted(
                            message.byteSize(), Keys.MAX_MESSAGE_BYTES, options.maxMessageBytes());
        }
        if (message.buffers().size() > FrameHeader.MAX_BUFFERS) {
            return "message with %d buffers refused; at most %d"
                    .formatted(message.buffers().size(), FrameHeader.MAX_BUFFERS);
        }
        return null;
    }

    // ---- the end

    /** As {@link org.gradwire.spi.RpcAgent#close}. */
    void close() {
        isClosed = true;
        inbox.stop();
        loop.runAndWait(this::closeOnLoop);
        loop.close();
        pending.failAll(() -> PendingCalls.closed(self.id(), 0)); // begun meanwhile
    }

    private void closeOnLoop() {
        acceptor.close();
        pending.failAll(() -> PendingCalls.closed(self.id(), 0));
        for (Peer peer : peers.values()) {
            peer.sayGoodbye();
            lose(peer, "this worker has closed");
        }
    }
}
