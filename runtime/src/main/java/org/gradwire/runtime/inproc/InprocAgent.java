package org.gradwire.runtime.inproc;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.simulation.Simulation;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.PeerIdentity;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.ReplySink;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Store;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The agent of the inproc backend: puts messages into the mailboxes of its peers. Thread-safe. */
final class InprocAgent implements RpcAgent {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.inproc");
    private static final Duration CONNECT_TIME = Duration.ofSeconds(30);
    private static final int SHOWN_CHARS = 40;

    private final AgentContext context;
    private final Hub hub;
    private final @Nullable Simulation simulation;
    private final PendingCalls pending = new PendingCalls(System.nanoTime());
    private final Map<Integer, InprocAgent> peers = new ConcurrentHashMap<>();
    private final Set<Integer> lost = ConcurrentHashMap.newKeySet();
    private final Mailbox mailbox = new Mailbox(pending);
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile @Nullable AgentListener listener;
    private String address = "";

    InprocAgent(AgentContext context, Hub hub) {
        this.context = context;
        this.hub = hub;
        this.simulation = context.time() instanceof Simulation simulated ? simulated : null;
    }

    @Override
    public void start(AgentListener newListener) {
        listener = newListener;
        address = hub.add(this);
        if (simulation == null) {
            mailbox.startPoller("gradwire-inproc-" + context.self().name());
        } else {
            simulation.addAgent(context.self().id());
        }
        context.store().set(key(context.self()), address.getBytes(StandardCharsets.US_ASCII));
    }

    private static String key(WorkerInfo worker) {
        return Store.keyOf(worker.name(), "inproc/address");
    }

    @Override
    public void connect(List<WorkerInfo> members) {
        for (WorkerInfo member : members) {
            InprocAgent peer = hub.find(addressOf(member));
            if (peer == null) {
                throw new RpcConnectionException(
                        "%s left before %s could connect; the inproc backend connects workers of one JVM only"
                                .formatted(member, context.self()));
            }
            if (peer != peers.put(member.id(), peer)) {
                lost.remove(member.id());
            }
        }
    }

    private String addressOf(WorkerInfo member) {
        byte[] bytes = context.store().get(key(member), CONNECT_TIME);
        String text = new String(bytes, StandardCharsets.US_ASCII);
        if (!Hub.isAddress(text)) {
            throw new RpcConfigurationException(
                    "the address of %s in the store, %s=%s%s, is not one of the backend inproc; set gradwire.backend=inproc on all workers, and use the store for this group only"
                            .formatted(
                                    member,
                                    key(member),
                                    text.substring(0, Math.min(text.length(), SHOWN_CHARS)),
                                    text.length() > SHOWN_CHARS ? "..." : ""));
        }
        if (!hub.isOwn(text)) {
            throw new RpcConfigurationException(
                    "%s is in another process than %s, and the backend inproc connects workers of one JVM only; use tensorpipe between processes"
                            .formatted(member, context.self()));
        }
        return text;
    }

    @Override
    public void disconnect(int member) {
        InprocAgent peer = peers.get(member);
        if (peer != null && member != context.self().id()) {
            onPeerClosed(member, peer);
            peers.remove(member, peer);
        }
    }

    @Override
    public PeerIdentity identity(int member) {
        InprocAgent peer = peers.get(member);
        return peer == null
                ? PeerIdentity.UNKNOWN
                : new PeerIdentity("inproc", PeerIdentity.Authentication.PROCESS);
    }

    @Override
    public int poll() {
        return simulation == null ? mailbox.poll() : -1;
    }

    private void post(int from, Message message, Runnable mail) {
        if (simulation == null) {
            mailbox.post(mail);
        } else {
            simulation.deliver(from, context.self().id(), message, mail);
        }
    }

    /** Register a request and start its timeout. */
    private long enter(int to, long timeoutNanos, ReplyHandler handler) {
        if (simulation == null) {
            long id = pending.add(to, timeoutNanos, System.nanoTime(), handler);
            mailbox.onCallBegun();
            return id;
        }
        long id = pending.add(to, 0, 0, handler);
        if (timeoutNanos > 0) {
            var _ = simulation.schedule(() -> expire(id, timeoutNanos), timeoutNanos);
        }
        return id;
    }

    private void expire(long id, long timeoutNanos) {
        pending.fail(id, new RpcTimeoutException(PendingCalls.timeoutText(timeoutNanos)));
    }

    @Override
    public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        if (!MessageTypes.isRequest(request.type())) {
            throw new IllegalArgumentException(
                    request + " is not a request; only requests can be sent");
        }
        long id = enter(to, timeoutNanos, handler);
        InprocAgent peer = peers.get(to);
        if (closed.get()) {
            pending.fail(id, PendingCalls.closed(context.self().id(), request.type()));
        } else if (peer == null || lost.contains(to) || peer.closed.get()) {
            pending.fail(id, gone(to));
        } else {
            Message copy = peer.receivable(request);
            int self = context.self().id();
            peer.post(self, copy, () -> peer.onRequest(this, id, copy));
            if (peer.closed.get()) {
                pending.fail(id, gone(to)); // closed meanwhile, possibly without seeing this call
            }
        }
        request.release();
    }

    private void tell(Runnable news) {
        if (simulation == null) {
            mailbox.post(news);
        } else {
            simulation.tell(news);
        }
    }

    private void onRequest(InprocAgent caller, long id, Message request) {
        AgentListener known = listener;
        if (known == null || closed.get()) {
            return;
        }
        ReplySink replies = once(reply -> sendReply(caller, id, reply));
        try {
            known.onRequest(caller.context.self().id(), request, replies);
        } catch (RuntimeException | Error thrown) {
            LOGGER.log(System.Logger.Level.ERROR, "a listener threw; it must not", thrown);
            caller.tell(() -> caller.pending.fail(id, notHandled(thrown)));
        }
    }

    private static RpcException notHandled(Throwable thrown) {
        return new RpcException(
                RpcErrorKind.UNKNOWN, "the request could not be delivered: " + thrown, thrown);
    }

    private static ReplySink once(ReplySink replies) {
        var replied = new AtomicBoolean();
        return reply -> {
            if (replied.compareAndSet(false, true)) {
                replies.reply(reply);
            } else {
                reply.release();
            }
        };
    }

    private void sendReply(InprocAgent caller, long id, Message reply) {
        if (!closed.get() && !caller.closed.get()) {
            Message copy = caller.receivable(reply);
            int self = context.self().id();
            caller.post(self, copy, () -> caller.pending.complete(id, self, copy));
        }
        reply.release();
    }

    /** Copy a message into memory of the receiving worker. */
    private Message receivable(Message message) {
        List<MemorySegment> copies = new ArrayList<>(message.buffers().size());
        for (MemorySegment buffer : message.buffers()) {
            MemorySegment copy =
                    context.allocator().allocate(ElementKind.of(buffer), buffer.byteSize());
            copies.add(copy.copyFrom(buffer));
        }
        return new Message(message.type(), message.payload(), copies);
    }

    private RpcConnectionException gone(int peer) {
        InprocAgent agent = peers.get(peer);
        String who =
                agent == null
                        ? "worker " + peer + ", which is not a member"
                        : agent.context.self() + ", which has left";
        return new RpcConnectionException("Connection closed by peer: " + who);
    }

    /** Report a loss once; concurrent reports wait for its end. */
    private synchronized void onPeerClosed(int peer, InprocAgent closing) {
        AgentListener known = listener;
        if (peers.get(peer) == closing && lost.add(peer) && known != null && !closed.get()) {
            RpcException reason = gone(peer);
            pending.failPeer(peer, () -> gone(peer));
            known.onPeerLost(peer, reason);
        }
    }

    @Override
    public Map<String, String> debugInfo() {
        Map<String, String> info = new LinkedHashMap<>();
        info.put("inproc.mailbox", Integer.toString(mailbox.size()));
        info.put("inproc.pending_calls", Integer.toString(pending.size()));
        if (simulation != null) {
            info.put("simulation.seed", Long.toString(simulation.seed()));
            info.put("simulation.deliveries", Long.toString(simulation.deliveries()));
            info.put("simulation.trace", Long.toHexString(simulation.traceHash()));
            info.put(
                    "simulation.time_ms",
                    Long.toString(TimeUnit.NANOSECONDS.toMillis(simulation.nanoTime())));
        }
        return info;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        hub.remove(address);
        int self = context.self().id();
        peers.forEach((id, peer) -> {
            if (id != self) {
                peer.tell(() -> peer.onPeerClosed(self, this));
            }
        });
        pending.failAll(() -> PendingCalls.closed(self, 0));
        mailbox.close();
    }
}
