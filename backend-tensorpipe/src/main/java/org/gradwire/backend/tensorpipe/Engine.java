package org.gradwire.backend.tensorpipe;

import org.agrona.CloseHelper;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.PendingCalls;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A started agent: its threads, its connection to the media driver, and its peers, from start to
 * end.
 *
 * <p>The end is the poller's work, whoever asks for it: nothing may be unmapped while it, or a
 * thread that has lent itself, reads.
 */
final class Engine implements Poller.Duties, Sessions.Members, Approaches.Outcome {
    private static final Logger LOG = System.getLogger(Engine.class.getPackageName());
    private static final long CLOSE_MILLIS = 2000;
    private static final long SENDER_MILLIS = 300;
    private static final long LOOK_MILLIS = 10;
    private static final long GOODBYE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long READERS_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long PAUSE_NANOS = 100_000;
    private static final long DIRECTORY_LOCK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Why the agent ends.
     *
     * @param failure of Aeron; null when the agent is closed by its worker
     */
    private record Ending(@Nullable RpcException failure) {}

    private final WorkerInfo self;
    private final PendingCalls pending;
    private final Receiver receiver;
    private final Copier copier;
    private final SharedRead sharedRead;
    private final Sender sender;
    private final Poller poller;
    private final Peers peers = new Peers();
    private final SendBudget sendBudget = new SendBudget(HeapLimits.waiting());
    private final Loopback loopback;
    private final DriverConnector.Connection connection;
    private final @Nullable Doorbell bell;
    private final @Nullable Doorbell driverBell;
    private final @Nullable MemoryEndpoint memoryEndpoint;
    private final Delivery delivery;
    private final Sessions sessions;
    private final NetworkEndpoint endpoint;
    private final Approaches approaches;
    private final Joining joining;
    private final Vigil vigil;
    private final AtomicReference<@Nullable Throwable> aeronFailure;
    private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();
    private final CountDownLatch finished = new CountDownLatch(1);
    private boolean isAeronWell = true; // the poller's

    /** Connect to the driver. What is not part of the engine's own state comes from the outside. */
    Engine(
            AgentContext context,
            Options options,
            Identity identity,
            PendingCalls pending,
            Statistics statistics,
            AgentListener listener,
            Delivery.Replies replies) {
        self = context.self();
        this.pending = pending;
        String name = "gradwire-" + self.name();
        var wakeup = new Wakeup();
        var failure = new AtomicReference<@Nullable Throwable>();
        aeronFailure = failure;
        receiver = new Receiver(wakeup);
        copier = new Copier(name + "-copier");
        sharedRead = new SharedRead(name + "-copier-2");
        sender = new Sender(name + "-sender", () -> outboxes());
        loopback = new Loopback(context.allocator(), receiver, copier, options.sendQueueBytes());
        delivery =
                new Delivery(
                        listener,
                        pending,
                        statistics,
                        receiver,
                        copier,
                        sharedRead,
                        new ReceiveBudget(options.receiveBytes(), HeapLimits.arriving()),
                        replies);
        var standby = new Standby(context.allocator(), receiver);
        receiver.whenIdle(standby::fetch);
        sessions =
                new Sessions(
                        identity,
                        options,
                        standby,
                        statistics,
                        receiver,
                        delivery,
                        new MemoryAccess(options, DriverDirectory.of(options)),
                        this);
        var images =
                new DriverConnector.ImageListener(
                        image -> receiver.post(() -> sessions.onImage(image)),
                        image -> receiver.post(() -> sessions.onImageGone(image)));
        connection =
                new DriverConnector(options)
                        .connect(self.name(), images, thrown -> onAeronError(failure, thrown));
        driverBell = Doorbell.find(connection.directory().driverBell());
        bell = LibC.isAvailable() ? hangBell(identity.incarnation()) : null;
        memoryEndpoint =
                options.singleCopy()
                        ? MemoryEndpoint.open(
                                connection.directory().memoryEndpoint(identity.incarnation()))
                        : null;
        poller = new Poller(name + "-poller", receiver, this, options.idle(), bell);
        wakeup.wakes(poller);
        endpoint =
                new NetworkEndpoint(
                        connection,
                        options,
                        name + "-bulk",
                        new BulkAuthenticator(identity),
                        peers,
                        this::isRunning);
        approaches =
                new Approaches(
                        connection,
                        driverBell,
                        peers,
                        statistics,
                        options.connectTimeoutNanos(),
                        this);
        joining = new Joining(this, context, options, identity, connection, bell != null, endpoint);
        vigil = new Vigil(options, peers, pending, this, connection);
    }

    private Doorbell hangBell(long incarnation) {
        return Doorbell.create(connection.directory().bell(incarnation), connection.udpStream());
    }

    @Override
    public void onRoomMade() {
        if (driverBell != null) {
            driverBell.ring();
        }
    }

    private static void onAeronError(
            AtomicReference<@Nullable Throwable> failure, Throwable thrown) {
        boolean isFatal =
                thrown instanceof io.aeron.exceptions.TimeoutException
                        || thrown instanceof org.agrona.concurrent.AgentTerminationException;
        if (isFatal) {
            failure.compareAndSet(null, thrown);
        } else {
            LOG.log(Level.WARNING, "Aeron reports", thrown);
        }
    }

    /** Begin to receive, then tell the others where. */
    void start() {
        poller.start();
        sender.start();
        joining.publishAddress();
    }

    /** Learn the members, and wait until all can be called. */
    void connect(List<WorkerInfo> members) {
        joining.connect(members);
    }

    /** A member has left the group. */
    void disconnect(int member) {
        joining.onLeft(member);
        Peer peer = peers.find(member);
        if (peer == null) {
            return;
        }
        loseNow(peer, peer.closed("it has left the group"));
    }

    /** Drop messages that so many calls of this have found without progress. */
    void lookAtUnfinished(int looks) {
        sessions.lookAtUnfinished(looks);
    }

    /** Give a peer up, and return when calls fail that were made before. */
    void loseNow(Peer peer, RpcException reason) {
        var isLost = new CountDownLatch(1);
        receiver.post(() -> {
            lose(peer, reason);
            isLost.countDown();
        });
        awaitUnlessEnding(isLost);
    }

    private void awaitUnlessEnding(CountDownLatch done) {
        try {
            while (isRunning() && !done.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                // an engine that ends runs no more tasks
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public @Nullable Peer find(int id) {
        return peers.find(id);
    }

    Loopback loopback() {
        return loopback;
    }

    Delivery delivery() {
        return delivery;
    }

    Receiver receiver() {
        return receiver;
    }

    /** Let the calling thread receive for a moment; {@return how much there was to do} */
    int lend() {
        return poller.lend();
    }

    /** A thread that lent itself does so no more. */
    void endLending() {
        poller.endLending();
    }

    /** {@return how many frames the driver has dropped that came from no expected source} */
    long droppedFrames() {
        return connection.aeron().isClosed()
                ? 0
                : DroppedFrames.in(connection.aeron().countersReader());
    }

    List<Peer> peers() {
        return peers.all();
    }

    DriverDirectory directory() {
        return connection.directory();
    }

    /** {@return where peers elsewhere reach this worker; null while there is none} */
    @Nullable NetworkAddress networkAddress() {
        return endpoint.address();
    }

    /** {@return the limit of messages that wait to be sent} */
    SendBudget sendBudget() {
        return sendBudget;
    }

    private List<Outbox> outboxes() {
        return peers.all().stream().map(Peer::outbox).toList();
    }

    void wakeSender() {
        sender.wake();
    }

    /** Enter peers, which may have greeted already. */
    void addAll(List<Peer> newcomers) {
        peers.putAll(newcomers);
        receiver.post(() -> newcomers.forEach(sessions::greet));
        if (!isRunning()) {
            newcomers.forEach(this::end); // what ends the engine may have missed them
        }
    }

    /** For any thread. */
    @Override
    public void approach(Peer peer) {
        if (peer.isKnownOnly()) {
            receiver.post(() -> approaches.begin(peer));
        }
    }

    @Override
    public void onLog(Peer peer) {
        sessions.greet(peer);
    }

    /** A message to a peer will not arrive: end the call that waits for it, here or there. */
    void onFailed(Peer peer, Outgoing message, RpcException failure) {
        RpcException reason = peer.isLost() ? peer.closedFailure() : failure;
        if (message.isRequest()) {
            delivery.fail(peer.id(), message.id(), reason);
        } else {
            refuseReply(peer, message.id(), reason);
        }
    }

    /** Tell the requester that there will be no reply, and why. */
    void refuseReply(Peer peer, long id, RpcException reason) {
        peer.outbox()
                .control(
                        new RejectFrame(
                                id, reason.kind().code(), String.valueOf(reason.getMessage())));
    }

    /** Give a peer up soon. For any thread. */
    void loseSoon(Peer peer, RpcException reason) {
        receiver.post(() -> lose(peer, reason));
    }

    @Override
    public void lose(Peer peer, RpcException reason) {
        boolean wasCallable = peer.isCallable();
        if (!peer.lose(reason)) {
            return;
        }
        LOG.log(Level.DEBUG, "{0} has lost {1}: {2}", self, peer.label(), reason.getMessage());
        Inbound session = peer.inbound();
        if (session != null) {
            session.refuse();
        }
        part(peer, "it has given this worker up: " + reason.getMessage());
        pending.failPeer(
                peer.id(), () -> new RpcConnectionException(String.valueOf(reason.getMessage())));
        if (wasCallable) {
            delivery.tellLost(peer.id(), reason);
        }
    }

    /** Say goodbye, and release all that was meant for a peer. */
    private static void part(Peer peer, String why) {
        peer.outbox().tryControl(new GoodbyeFrame(why));
        peer.guard().revoke(); // before the messages that the peer might be reading are released
        peer.outbox().close();
    }

    @Override
    public boolean isRunning() {
        return ending.get() == null;
    }

    @Override
    public void doChores(long nowNanos) {
        connection.serve();
        if (memoryEndpoint != null) {
            memoryEndpoint.closeConnections();
        }
        Throwable thrown = aeronFailure.get();
        String why = thrown != null ? thrown.toString() : vigil.watchDriver(nowNanos);
        if (why != null) {
            fail(
                    "the media driver in %s is lost to %s, whose agent is closed: %s"
                            .formatted(directory().path(), self, why));
            return;
        }
        vigil.keep(nowNanos);
        if (approaches.isAwaiting()) {
            receiver.post(approaches::take);
        }
        for (Peer peer : peers.connecting()) {
            if (peer.mayBeGreeted()) {
                receiver.post(() -> sessions.greet(peer));
            }
        }
    }

    @Override
    public boolean isEveryoneRinging() {
        return peers.silent().isEmpty() && !approaches.isAwaiting(); // the driver does not ring
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
        isAeronWell = false;
        ending.compareAndSet(null, new Ending(new RpcConnectionException(text)));
        LOG.log(Level.ERROR, text);
    }

    /** {@return the failure of a new call when the engine is ending} */
    @Nullable RpcException endedFailure(int messageType) {
        Ending why = ending.get();
        if (why == null) {
            return null;
        }
        return why.failure != null ? why.failure : PendingCalls.closed(self.id(), messageType);
    }

    private RpcException failureUnderWay() {
        Ending why = ending.get();
        if (why != null && why.failure != null) {
            return new RpcConnectionException(String.valueOf(why.failure.getMessage()));
        }
        return new RpcException(
                RpcErrorKind.SHUTDOWN,
                "The call of Node %d was under way but RPC is no longer running on this node."
                        .formatted(self.id()));
    }

    /** End, and wait for it for a moment, unless called back by this engine. */
    void close() {
        ending.compareAndSet(null, new Ending(null));
        poller.wake();
        if (poller.isHere() || receiver.isHeldHere()) {
            return;
        }
        try {
            if (finished.await(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        pending.failAll(this::failureUnderWay); // a callback holds the poller up
    }

    @Override
    public void finish() {
        delivery.stop();
        while (!receiver.trySeal()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        pending.failAll(this::failureUnderWay);
        sender.stop(SENDER_MILLIS);
        if (isAeronWell) {
            sayGoodbye();
            awaitReaders();
        }
        peers.all().forEach(this::end);
        endpoint.close();
        copier.stop();
        sharedRead.stop();
        CloseHelper.close(thrown -> LOG.log(Level.DEBUG, "closing", thrown), connection.aeron());
        if (bell != null) {
            bell.close();
        }
        if (memoryEndpoint != null) {
            memoryEndpoint.close();
        }
        deleteDeadDriver();
        vigil.end();
        finished.countDown();
    }

    private void sayGoodbye() {
        long deadline = System.nanoTime() + GOODBYE_NANOS;
        for (Peer peer : peers.all()) {
            while (peer.helloSent()
                    && !peer.isLost()
                    && !peer.outbox().tryControl(new GoodbyeFrame("it was closed"))
                    && System.nanoTime() - deadline < 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** Let peers finish reading this process's memory. */
    private void awaitReaders() {
        long deadline = System.nanoTime() + READERS_NANOS;
        while (System.nanoTime() - deadline < 0
                && peers.all().stream().anyMatch(peer -> peer.outbox().awaitsReading())) {
            receiver.work();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void end(Peer peer) {
        RpcException reason = failureUnderWay();
        Ending why = ending.get();
        boolean wasCallable = peer.isCallable();
        peer.lose(reason);
        peer.guard().revoke();
        peer.outbox().close();
        if (wasCallable && why != null && why.failure != null) {
            delivery.tellLost(peer.id(), reason);
        }
    }

    private void deleteDeadDriver() {
        DriverDirectory directory = connection.directory();
        if (!vigil.hasDriverEnded()) {
            return;
        }
        try (DirectoryLock _ = DirectoryLock.acquire(directory.lock(), DIRECTORY_LOCK_NANOS)) {
            if (directory.liveDriver().isEmpty()) {
                directory.delete();
            }
        } catch (RpcException e) {
            LOG.log(Level.DEBUG, "left to another worker: {0}", e.getMessage());
        }
    }
}
