package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.address.NetworkAddress;
import org.gradwire.spi.PendingCalls;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The debug info of an agent, with the keys documented in this module's README. All values are
 * numbers except {@code tensorpipe.driver.directory}, {@code tensorpipe.network.endpoint} and
 * {@code tensorpipe.transport.<id>}.
 */
final class DebugInfo {
    private DebugInfo() {}

    static Map<String, String> of(
            Peers peers,
            DriverClient driver,
            @Nullable NetworkAddress network,
            Loopback loopback,
            ReceiveBudget receiveBudget,
            PendingCalls pending,
            AgentMetrics metrics) {
        Map<String, String> info = new TreeMap<>();
        putPeers(info, peers.all(), loopback.waitingBytes());
        info.put("tensorpipe.driver.directory", driver.directory().path().toString());
        info.put("tensorpipe.network.endpoint", network == null ? "none" : network.udpEndpoint());
        put(info, "network.tcp-port", network == null ? 0 : network.tcpPort());
        put(info, "calls.pending", pending.size());
        put(info, "receiving.bytes", receiveBudget.totalBytes());
        put(info, "driver.frames.dropped", driver.droppedFrames());
        put(info, "driver.datagrams.refused", driver.refusedDatagrams());
        putMetrics(info, metrics);
        return info;
    }

    private static void putPeers(Map<String, String> info, List<Peer> peers, long ownBytes) {
        long queued = ownBytes;
        int callable = 0;
        int connected = 0;
        int lost = 0;
        for (Peer peer : peers) {
            queued += peer.sendQueue().queuedBytes();
            callable += peer.isCallable() ? 1 : 0;
            connected += peer.isOpen() ? 1 : 0;
            lost += peer.isLost() ? 1 : 0;
            info.put("tensorpipe.transport." + peer.id(), transport(peer));
        }
        put(info, "peers", callable);
        put(info, "peers.connected", connected);
        put(info, "peers.lost", lost);
        put(info, "queue.bytes", queued);
    }

    private static void putMetrics(Map<String, String> info, AgentMetrics metrics) {
        put(info, "messages.sent", metrics.messagesSent.sum());
        put(info, "messages.received", metrics.messagesReceived.sum());
        put(info, "messages.refused", metrics.messagesRefused.sum());
        put(info, "bytes.sent", metrics.bytesSent.sum());
        put(info, "bytes.received", metrics.bytesReceived.sum());
        put(info, "single-copy.offered", metrics.singleCopiesOffered.sum());
        put(info, "single-copy.read", metrics.singleCopiesRead.sum());
        put(info, "single-copy.failed", metrics.singleCopiesFailed.sum());
        put(info, "frames.rejected", metrics.framesRejected.sum());
        put(info, "logs.refused", metrics.logsRefused.sum());
        put(info, "callbacks.thrown", metrics.callbacksThrown.sum());
    }

    private static void put(Map<String, String> info, String key, long value) {
        info.put("tensorpipe." + key, Long.toString(value));
    }

    private static String transport(Peer peer) {
        if (peer.isLost()) {
            return "lost";
        }
        String log = peer.route().isIpc() ? "ipc" : "udp";
        return switch (peer.bulkReadMode()) {
            case CHUNKS -> log;
            case MEMORY -> log + "+single-copy";
            case TCP -> log + "+tcp";
        };
    }
}
