package org.gradwire.backend.tensorpipe;

import io.aeron.Image;

import org.gradwire.backend.tensorpipe.address.WorkerAddress;
import org.gradwire.backend.tensorpipe.auth.Identity;
import org.gradwire.backend.tensorpipe.channel.BufferPrefetcher;
import org.gradwire.backend.tensorpipe.channel.BulkAuthenticator;
import org.gradwire.backend.tensorpipe.channel.CopyThread;
import org.gradwire.backend.tensorpipe.channel.ParallelReader;
import org.gradwire.backend.tensorpipe.config.HeapLimits;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.driver.DriverConnector;
import org.gradwire.backend.tensorpipe.seal.OfferSigner;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Message;
import org.gradwire.spi.PendingCalls;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A started agent: assembles its parts, runs the poller's duties, and closes the parts at its end.
 *
 * <p>Only the poller closes the agent, since nothing may be unmapped while a thread is in the
 * receive loop. Thread-safe, except for the {@link Poller.Duties}.
 */
final class AgentRuntime implements Poller.Duties {
    private static final Logger LOG = System.getLogger(AgentRuntime.class.getPackageName());
    private static final long CLOSE_MILLIS = 2000;
    private static final long SENDER_MILLIS = 300;
    private static final long PAUSE_NANOS = 100_000;

    private final WorkerInfo self;
    private final PendingCalls pending;
    private final AgentMetrics metrics;
    private final AgentTermination termination;
    private final Peers peers = new Peers();
    private final Receiver receiver;
    private final CopyThread copyThread;
    private final ReceiveBudget receiveBudget;
    private final RemoteBufferReader remoteBuffers;
    private final MessageDispatcher messageDispatcher;
    private final Loopback loopback;
    private final Sender sender;
    private final DriverClient driver;
    private final Poller poller;
    private final PeerCloser closer;
    private final PublicationRequests publications;
    private final Handshake handshake;
    private final FrameDispatcher frameDispatcher;
    private final LivenessMonitor livenessMonitor;
    private final NetworkEndpoint endpoint;
    private final PeerDiscovery peerDiscovery;
    private final @Nullable PeerCertificates certificates; // null if there are none
    private final CountDownLatch finished = new CountDownLatch(1);

    /** Assemble the parts, and connect to the media driver. */
    AgentRuntime(
            AgentContext context,
            TensorPipeOptions options,
            Identity identity,
            PendingCalls pending,
            AgentMetrics metrics,
            AgentListener listener,
            MessageDispatcher.Replies replies) {
        self = context.self();
        this.pending = pending;
        this.metrics = metrics;
        termination = new AgentTermination(self);
        String name = "gradwire-" + self.name();
        var pollerWakeup = new PollerWakeup();
        receiver = new Receiver(pollerWakeup);
        copyThread = new CopyThread(name + "-copier");
        receiveBudget = new ReceiveBudget(options.receiveBytes(), HeapLimits.arriving());
        var parallelReader = new ParallelReader(name + "-copier-2");
        remoteBuffers =
                new RemoteBufferReader(
                        metrics, receiver, copyThread, parallelReader, receiveBudget);
        messageDispatcher =
                new MessageDispatcher(listener, pending, metrics, remoteBuffers, replies);
        BufferAllocator allocator = context.allocator();
        loopback =
                new Loopback(
                        self.id(), options, allocator, receiver, copyThread, messageDispatcher);
        sender = new Sender(name + "-sender", peers::sendQueues);
        var images = new DriverConnector.ImageListener(this::onImage, this::onImageGone);
        driver = new DriverClient(options, self.name(), identity.incarnation(), images);
        poller = new Poller(name + "-poller", receiver, this, options.idle(), driver.pollerBell());
        pollerWakeup.wakes(poller);
        closer = new PeerCloser(peers, receiver, pending, messageDispatcher, termination);
        publications = publications(options);
        handshake =
                new Handshake(
                        identity,
                        receiver,
                        peers,
                        publications,
                        closer,
                        new MemoryAccess(options, driver.directory()));
        frameDispatcher = frameDispatcher(options, allocator);
        livenessMonitor = new LivenessMonitor(options, peers, pending, closer, frameDispatcher);
        OfferSigner signer =
                options.credentials() == null
                        ? null
                        : new OfferSigner(identity, options.credentials());
        endpoint =
                new NetworkEndpoint(
                        driver.connection(),
                        options,
                        name + "-bulk",
                        new BulkAuthenticator(identity),
                        peers,
                        new PairSealing(options, identity, driver.directory(), signer),
                        termination::isRunning);
        peerDiscovery = peerDiscovery(context, options, identity);
        certificates =
                signer == null ? null : new PeerCertificates(signer, peers, closer, peerDiscovery);
    }

    private PublicationRequests publications(TensorPipeOptions options) {
        return new PublicationRequests(
                driver,
                peers,
                receiver,
                metrics,
                closer,
                options.connectTimeoutNanos(),
                this::onPublication);
    }

    private FrameDispatcher frameDispatcher(TensorPipeOptions options, BufferAllocator allocator) {
        var prefetcher = new BufferPrefetcher(allocator, receiver::isInLoop);
        receiver.whenIdle(prefetcher::fetch);
        var limits = new MessageLimits(options.maxMessageBytes());
        return new FrameDispatcher(
                metrics,
                receiver,
                handshake,
                closer,
                new InboundMessages(limits, prefetcher, receiveBudget),
                messageDispatcher,
                driver::ringDriver);
    }

    private PeerDiscovery peerDiscovery(
            AgentContext context, TensorPipeOptions options, Identity identity) {
        WorkerAddress own = driver.address(identity.incarnation());
        return new PeerDiscovery(
                context,
                options,
                own,
                new RouteSelector(self.id(), options, driver, own, peers),
                endpoint,
                new PeerFactory(self, identity, options, sender, messageDispatcher, closer),
                new PeerConnector(options, peers, handshake, publications, closer));
    }

    private void onImage(Image image) {
        receiver.post(() -> frameDispatcher.onImage(image));
    }

    private void onImageGone(Image image) {
        receiver.post(() -> frameDispatcher.onImageGone(image));
    }

    private void onPublication(Peer peer) {
        handshake.advance(peer);
    }

    /** Start to receive, then publish the address. */
    void start() {
        poller.start();
        sender.start();
        peerDiscovery.publishAddress();
    }

    /** Discover the members, and wait until each can be called. */
    void connect(List<WorkerInfo> members) {
        peerDiscovery.connect(members);
    }

    /** Close the connection to a member that has left the group. */
    void disconnect(int member) {
        peerDiscovery.onLeft(member);
        Peer peer = peers.find(member);
        if (peer != null) {
            closer.loseNow(peer, peer.closed("it has left the group"));
        }
    }

    /** Connect a peer soon, unless it is connected. */
    void connect(Peer peer) {
        publications.request(peer);
    }

    @Nullable Peer find(int id) {
        return peers.find(id);
    }

    /** Send a request of this worker to itself. */
    void sendToSelf(long id, Message request) {
        loopback.sendRequest(id, request);
    }

    /** Fail the call of a message that cannot be sent, here or at the peer. */
    void onSendFailed(Peer to, OutboundMessage message, RpcException failure) {
        messageDispatcher.onSendFailed(to, message, failure);
    }

    /** Notify the caller that no reply will follow. */
    void refuseReply(Peer to, long id, RpcException reason) {
        messageDispatcher.refuseReply(to, id, reason);
    }

    /** {@return the failure of a new call; null while the agent runs} */
    @Nullable RpcException newCallFailure(int messageType) {
        return termination.newCallFailure(messageType);
    }

    /** Run the receive loop once, and return the amount of work done. */
    int lend() {
        return poller.lend();
    }

    /** Stop running the receive loop. */
    void endLending() {
        poller.endLending();
    }

    /** Stop running the receive loop for a moment. */
    void linger() {
        poller.linger();
    }

    Map<String, String> debugInfo() {
        return DebugInfo.of(
                peers, driver, endpoint.address(), loopback, receiveBudget, pending, metrics);
    }

    @Override
    public boolean isRunning() {
        return termination.isRunning();
    }

    @Override
    public void doChores(long nowNanos) {
        assert poller.isPollerThread();
        String loss = driver.onTick(nowNanos);
        if (loss != null) {
            fail(
                    "the media driver in %s is lost to %s, whose agent is closed: %s"
                            .formatted(driver.directory().path(), self, loss));
            return;
        }
        livenessMonitor.onTick(nowNanos);
        if (certificates != null) {
            certificates.onTick(nowNanos);
        }
        publications.pollSoon();
        handshake.advanceSoon();
    }

    @Override
    public boolean isEveryoneRinging() {
        return peers.silent().isEmpty() && !publications.isAwaiting(); // the driver never rings
    }

    @Override
    public boolean isAwaitingReplies() {
        return pending.size() > 0;
    }

    @Override
    public boolean isConnecting() {
        return !peers.connecting().isEmpty();
    }

    @Override
    public void onFatal(Error cause) {
        fail("an error has stopped %s, whose agent is closed: %s".formatted(self, cause));
        LOG.log(Level.ERROR, "an error on the poller", cause);
    }

    private void fail(String text) {
        termination.onFailure(new RpcConnectionException(text));
        LOG.log(Level.ERROR, text);
    }

    /**
     * Close the agent, and wait for its end for a limited time, unless called in one of its
     * callbacks.
     */
    void close() {
        termination.onClosed();
        poller.wake();
        if (poller.isPollerThread() || receiver.isInLoop()) {
            return;
        }
        try {
            if (finished.await(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        pending.failAll(termination::pendingCallFailure); // a callback may block the poller
    }

    @Override
    public void finish() {
        messageDispatcher.stop();
        while (!receiver.trySeal()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        pending.failAll(termination::pendingCallFailure);
        sender.stop(SENDER_MILLIS);
        closer.closeAll();
        endpoint.close();
        copyThread.stop();
        remoteBuffers.stop();
        driver.close();
        livenessMonitor.close();
        finished.countDown();
    }
}
