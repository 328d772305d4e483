package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.PendingCalls;

import java.util.Map;
import java.util.TreeMap;

/**
 * The figures of an agent, under the keys that this module's README documents. All are numbers but
 * {@code tensorpipe.driver.directory}, {@code tensorpipe.network.endpoint} and {@code
 * tensorpipe.transport.<id>}.
 */
final class DebugInfo {
    private DebugInfo() {}

    static Map<String, String> of(Engine engine, PendingCalls pending, Statistics statistics) {
        Map<String, String> info = new TreeMap<>();
        long queued = engine.loopback().waitingBytes();
        int callable = 0;
        int connected = 0;
        int lost = 0;
        for (Peer peer : engine.peers()) {
            queued += peer.outbox().queuedBytes();
            callable += peer.isCallable() ? 1 : 0;
            connected += peer.isOpen() ? 1 : 0;
            lost += peer.isLost() ? 1 : 0;
            info.put("tensorpipe.transport." + peer.id(), transport(peer));
        }
        info.put("tensorpipe.driver.directory", engine.directory().path().toString());
        NetworkAddress network = engine.networkAddress();
        info.put("tensorpipe.network.endpoint", network == null ? "none" : network.udpEndpoint());
        put(info, "network.tcp-port", network == null ? 0 : network.tcpPort());
        put(info, "peers", callable);
        put(info, "peers.connected", connected);
        put(info, "peers.lost", lost);
        put(info, "calls.pending", pending.size());
        put(info, "queue.bytes", queued);
        put(info, "receiving.bytes", engine.delivery().budget().totalBytes());
        put(info, "messages.sent", statistics.messagesSent.sum());
        put(info, "messages.received", statistics.messagesReceived.sum());
        put(info, "messages.refused", statistics.messagesRefused.sum());
        put(info, "bytes.sent", statistics.bytesSent.sum());
        put(info, "bytes.received", statistics.bytesReceived.sum());
        put(info, "single-copy.offered", statistics.singleCopiesOffered.sum());
        put(info, "single-copy.read", statistics.singleCopiesRead.sum());
        put(info, "single-copy.failed", statistics.singleCopiesFailed.sum());
        put(info, "frames.rejected", statistics.framesRejected.sum());
        put(info, "driver.frames.dropped", engine.droppedFrames());
        put(info, "logs.refused", statistics.logsRefused.sum());
        put(info, "callbacks.thrown", statistics.callbacksThrown.sum());
        return info;
    }

    private static void put(Map<String, String> info, String key, long value) {
        info.put("tensorpipe." + key, Long.toString(value));
    }

    private static String transport(Peer peer) {
        if (peer.isLost()) {
            return "lost";
        }
        String log = peer.route().isIpc() ? "ipc" : "udp";
        return switch (peer.reading()) {
            case CHUNKS -> log;
            case MEMORY -> log + "+single-copy";
            case TCP -> log + "+tcp";
        };
    }
}
