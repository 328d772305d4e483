package org.gradwire.backend.tensorpipe;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.spi.PendingCalls;
import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * What must be looked at from time to time: deadlines of calls, heartbeats to peers and from them,
 * and on this host the processes of the peers and of the driver. Done by the poller.
 */
final class Vigil {
    private static final int BEATS_PER_LIVENESS = 5;

    /**
     * How much longer a process on this host may be silent: that it has ended is seen at once, so
     * one that is silent and there waits for a core, as when many JVMs start at the same time.
     */
    private static final int PATIENCE_WITH_NEIGHBOURS = 6;

    private static final int LOOKS_PER_LIVENESS = 50;
    private static final long PROCESSES_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    // Where processes cannot be followed, reading what /proc says takes some 50 us for each. 64
    // workers that each look at all others twice a second would be busy with nothing else.
    private static final int PROCESSES_AT_A_TIME = 16;

    private static final long DRAINED_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final long livenessNanos;
    private final long connectTimeoutNanos;
    private final Peers peers;
    private final PendingCalls pending;
    private final Engine engine;
    private final DriverConnector.Connection connection;
    private final ProcessWatch processes = new ProcessWatch();
    private final DriverWatch driver;
    private List<Peer> followed = List.of();
    private final long ownPid = ProcessHandle.current().pid();
    private long lastLookNanos = System.nanoTime();
    private long lastProcessesNanos = lastLookNanos;
    private int processesFrom;
    private long lastDriverNanos = lastLookNanos;

    Vigil(
            Options options,
            Peers peers,
            PendingCalls pending,
            Engine engine,
            DriverConnector.Connection connection) {
        livenessNanos = options.livenessNanos();
        connectTimeoutNanos = options.connectTimeoutNanos();
        this.peers = peers;
        this.pending = pending;
        this.engine = engine;
        this.connection = connection;
        driver = new DriverWatch(connection.driver().pid());
    }

    /** Do what is due. */
    void keep(long nowNanos) {
        pending.expire(nowNanos);
        long sinceLook = nowNanos - lastLookNanos;
        if (sinceLook < livenessNanos / LOOKS_PER_LIVENESS) {
            return;
        }
        lastLookNanos = nowNanos;
        // After a pause of this process, peers that spoke meanwhile have not been heard yet.
        boolean wasPaused = sinceLook > livenessNanos / 2;
        engine.lookAtUnfinished(LOOKS_PER_LIVENESS * PATIENCE_WITH_NEIGHBOURS);
        boolean looksAtProcesses = nowNanos - lastProcessesNanos >= PROCESSES_EVERY_NANOS;
        lastProcessesNanos = looksAtProcesses ? nowNanos : lastProcessesNanos;
        List<Peer> all = peers.all();
        if (looksAtProcesses) {
            lookAtProcesses(all);
        }
        for (int i = 0; i < all.size(); i++) {
            Peer peer = all.get(i);
            boolean isTurn = looksAtProcesses && isTurn(peer, i, all.size());
            if (wasPaused) {
                peer.onHeard(nowNanos);
            }
            if (peer.isOpen()) {
                beat(peer, nowNanos);
                look(peer, nowNanos, isTurn);
            } else if (!peer.isLost()) {
                lookBeforeOpen(peer, nowNanos, isTurn, looksAtProcesses);
            }
        }
        processesFrom += looksAtProcesses ? PROCESSES_AT_A_TIME : 0;
    }

    private void lookAtProcesses(List<Peer> all) {
        if (!all.equals(followed)) {
            followed = all;
            processes.retain(
                    all.stream()
                            .filter(peer -> !peer.isLost())
                            .map(peer -> peer.address().process())
                            .collect(Collectors.toSet()));
        }
        processes.look();
    }

    /** {@return whether the process of a peer is one of those to look at this time} */
    private boolean isTurn(Peer peer, int index, int size) {
        return processes.follows(peer.address().process())
                || Math.floorMod(index - processesFrom, size) < PROCESSES_AT_A_TIME;
    }

    private void beat(Peer peer, long nowNanos) {
        if (nowNanos - peer.outbox().lastWriteNanos() >= livenessNanos / BEATS_PER_LIVENESS) {
            peer.outbox().tryControl(new HeartbeatFrame());
        }
    }

    private void look(Peer peer, long nowNanos, boolean looksAtProcess) {
        long silence = nowNanos - peer.lastHeardNanos();
        if (silence > livenessNanos * PATIENCE_WITH_NEIGHBOURS
                || (silence > livenessNanos && !(isNeighbour(peer) && mayRun(peer)))) {
            loseSilent(peer, nowNanos);
        } else if (looksAtProcess && hasEnded(peer, nowNanos)) {
            loseEnded(peer);
        }
    }

    /** A peer without a session says no goodbye: its process ends, or it takes its bell away. */
    private void lookBeforeOpen(Peer peer, long nowNanos, boolean isTurn, boolean looksAtBell) {
        Path bell = peer.route().bell();
        boolean mustAnswer = peer.hasLog() && !peer.route().isEager();
        if (peer.isMet()) {
            peer.outbox().expire(nowNanos);
        }
        if (looksAtBell && bell != null && Files.notExists(bell)) {
            engine.loseSoon(peer, peer.closed("it was closed"));
        } else if (mustAnswer && isTooLate(peer, nowNanos)) {
            loseSilent(peer, nowNanos);
        } else if (isTurn && hasEnded(peer, nowNanos)) {
            loseEnded(peer);
        }
    }

    /** One that runs may wait long for its own log, which the driver makes when it has room. */
    private boolean isTooLate(Peer peer, long nowNanos) {
        long silence = nowNanos - peer.lastHeardNanos();
        return silence > connectTimeoutNanos
                || (silence > livenessNanos && isNeighbour(peer) && !mayRun(peer));
    }

    private static boolean mayRun(Peer peer) {
        return switch (peer.address().process().status()) {
            case RUNNING, UNKNOWN -> true;
            case STOPPED, ENDED -> false;
        };
    }

    private boolean isNeighbour(Peer peer) {
        return peer.route().isOnThisHost() && peer.address().process().pid() != ownPid;
    }

    private boolean hasEnded(Peer peer, long nowNanos) {
        if (!isNeighbour(peer)) {
            return false;
        }
        ProcessIdentity process = peer.address().process();
        processes.follow(process);
        return nowNanos - peer.lastHeardNanos() > DRAINED_NANOS // what it said is heard first
                && processes.hasEnded(process);
    }

    private void loseSilent(Peer peer, long nowNanos) {
        long silence = nowNanos - peer.lastHeardNanos();
        lose(peer, "not heard of for %d ms".formatted(silence / 1_000_000));
    }

    private void loseEnded(Peer peer) {
        lose(peer, "its process %d has ended".formatted(peer.address().process().pid()));
    }

    private void lose(Peer peer, String why) {
        engine.loseSoon(
                peer,
                new RpcConnectionException(
                        "Connection reset by peer %s: %s".formatted(peer.label(), why)));
    }

    /** {@return why the driver is of no use any more, if so} */
    @Nullable String watchDriver(long nowNanos) {
        if (nowNanos - lastDriverNanos < PROCESSES_EVERY_NANOS) {
            return null;
        }
        lastDriverNanos = nowNanos;
        return hasDriverEnded()
                ? "its process %d has ended".formatted(connection.driver().pid())
                : null;
    }

    boolean hasDriverEnded() {
        return driver.hasEnded();
    }

    /** Watch no more. Called once, at the end, by the poller. */
    void end() {
        processes.close();
        driver.close();
    }
}
