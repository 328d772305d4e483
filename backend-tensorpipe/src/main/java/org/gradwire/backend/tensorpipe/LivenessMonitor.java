package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.frame.HeartbeatFrame;
import org.gradwire.backend.tensorpipe.os.ProcessIdentity;
import org.gradwire.backend.tensorpipe.os.ProcessWatch;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.spi.PendingCalls;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Sends heartbeats, declares peers lost that are silent for longer than {@code
 * gradwire.tensorpipe.liveness} or whose process has ended, and expires calls.
 *
 * <p>A peer with a running process on this host may be silent six times as long ({@link
 * #LOCAL_LIVENESS_FACTOR}). Confined to the poller.
 */
final class LivenessMonitor {
    private static final int HEARTBEATS_PER_LIVENESS = 5;

    /**
     * Factor on the liveness of a running process on this host. Its end is noticed at once, so if
     * it is silent it waits for a core, for example while many JVMs start, or in this process while
     * the media driver connects many workers.
     */
    private static final int LOCAL_LIVENESS_FACTOR = 6;

    private static final int CHECKS_PER_LIVENESS = 50;
    private static final long PROCESS_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    // One system call looks at all handles of processes (pidfd), at each check. Without handles a
    // check reads /proc, some 50 us per process: 64 workers that each check all others twice a
    // second would saturate a core.
    private static final int PROCESSES_PER_CHECK = 16;

    private static final long DRAINED_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final long livenessNanos;
    private final long connectTimeoutNanos;
    private final Peers peers;
    private final PendingCalls pending;
    private final PeerCloser closer;
    private final FrameDispatcher frameDispatcher;
    private final ProcessWatch processes = new ProcessWatch();
    private final long ownPid = ProcessHandle.current().pid();
    private List<Peer> watched = List.of();
    private long lastCheckNanos = System.nanoTime();
    private long lastProcessCheckNanos = lastCheckNanos;
    private int firstProcess;

    LivenessMonitor(
            TensorPipeOptions options,
            Peers peers,
            PendingCalls pending,
            PeerCloser closer,
            FrameDispatcher frameDispatcher) {
        livenessNanos = options.livenessNanos();
        connectTimeoutNanos = options.connectTimeoutNanos();
        this.peers = peers;
        this.pending = pending;
        this.closer = closer;
        this.frameDispatcher = frameDispatcher;
    }

    /** Perform the checks that are due. */
    void onTick(long nowNanos) {
        pending.expire(nowNanos);
        long sinceCheck = nowNanos - lastCheckNanos;
        if (sinceCheck < livenessNanos / CHECKS_PER_LIVENESS) {
            return;
        }
        lastCheckNanos = nowNanos;
        if (sinceCheck > livenessNanos / 2) {
            // This process was paused; it has not read yet the frames that peers sent meanwhile.
            peers.all().forEach(peer -> peer.onHeard(nowNanos));
        }
        frameDispatcher.dropStalledSoon(CHECKS_PER_LIVENESS * LOCAL_LIVENESS_FACTOR);
        checkPeers(peers.all(), nowNanos);
    }

    private void checkPeers(List<Peer> all, long nowNanos) {
        updateWatch(all);
        boolean checksProcesses = nowNanos - lastProcessCheckNanos >= PROCESS_INTERVAL_NANOS;
        if (checksProcesses) {
            lastProcessCheckNanos = nowNanos;
        }
        for (int i = 0; i < all.size(); i++) {
            Peer peer = all.get(i);
            boolean isTurn =
                    processes.follows(peer.address().process())
                            || (checksProcesses && isTurn(i, all.size()));
            if (peer.isOpen()) {
                sendHeartbeat(peer, nowNanos);
                checkOpen(peer, nowNanos, isTurn);
            } else if (!peer.isLost()) {
                checkBeforeOpen(peer, nowNanos, isTurn, checksProcesses);
            }
        }
        firstProcess += checksProcesses ? PROCESSES_PER_CHECK : 0;
    }

    private void updateWatch(List<Peer> all) {
        if (!all.equals(watched)) {
            watched = all;
            processes.retain(
                    all.stream()
                            .filter(peer -> !peer.isLost())
                            .map(peer -> peer.address().process())
                            .collect(Collectors.toSet()));
        }
        processes.look();
    }

    /** {@return whether the process of a peer is due for a check without a handle} */
    private boolean isTurn(int index, int size) {
        return Math.floorMod(index - firstProcess, size) < PROCESSES_PER_CHECK;
    }

    private void sendHeartbeat(Peer peer, long nowNanos) {
        if (nowNanos - peer.sendQueue().lastWriteNanos()
                >= livenessNanos / HEARTBEATS_PER_LIVENESS) {
            peer.sendQueue().tryControl(new HeartbeatFrame());
        }
    }

    private void checkOpen(Peer peer, long nowNanos, boolean checksProcess) {
        long silence = nowNanos - peer.lastHeardNanos();
        if (silence > livenessNanos * LOCAL_LIVENESS_FACTOR
                || (silence > livenessNanos && !(isLocal(peer) && mayRun(peer)))) {
            loseSilent(peer, nowNanos);
        } else if (checksProcess && hasEnded(peer, nowNanos)) {
            loseEnded(peer);
        }
    }

    /** A peer without a session sends no GOODBYE: its process ends, or deletes its doorbell. */
    private void checkBeforeOpen(
            Peer peer, long nowNanos, boolean checksProcess, boolean checksBell) {
        Path bell = peer.route().bell();
        boolean mustAnswer = peer.hasLog() && !peer.route().isEager();
        if (peer.isMet()) {
            peer.sendQueue().expire(nowNanos);
        }
        if (checksBell && bell != null && Files.notExists(bell)) {
            closer.loseSoon(peer, peer.closed("it was closed"));
        } else if (mustAnswer && isTooLate(peer, nowNanos)) {
            loseSilent(peer, nowNanos);
        } else if (checksProcess && hasEnded(peer, nowNanos)) {
            loseEnded(peer);
        }
    }

    /** A running peer may wait long for its publication, until the driver has room for it. */
    private boolean isTooLate(Peer peer, long nowNanos) {
        long silence = nowNanos - peer.lastHeardNanos();
        return silence > connectTimeoutNanos
                || (silence > livenessNanos && isLocal(peer) && !mayRun(peer));
    }

    private static boolean mayRun(Peer peer) {
        return switch (peer.address().process().status()) {
            case RUNNING, UNKNOWN -> true;
            case STOPPED, ENDED -> false;
        };
    }

    private static boolean isLocal(Peer peer) {
        return peer.route().isOnThisHost();
    }

    private boolean hasEnded(Peer peer, long nowNanos) {
        if (!isLocal(peer) || peer.address().process().pid() == ownPid) {
            return false;
        }
        ProcessIdentity process = peer.address().process();
        processes.follow(process);
        return nowNanos - peer.lastHeardNanos() > DRAINED_NANOS // its last frames are read first
                && processes.hasEnded(process);
    }

    private void loseSilent(Peer peer, long nowNanos) {
        long silence = nowNanos - peer.lastHeardNanos();
        lose(peer, "silent for %d ms".formatted(silence / 1_000_000));
    }

    private void loseEnded(Peer peer) {
        lose(peer, "its process %d has ended".formatted(peer.address().process().pid()));
    }

    private void lose(Peer peer, String why) {
        closer.loseSoon(
                peer,
                new RpcConnectionException(
                        "Connection reset by peer %s: %s".formatted(peer.label(), why)));
    }

    /** Release the handles of processes. */
    void close() {
        processes.close();
    }
}
