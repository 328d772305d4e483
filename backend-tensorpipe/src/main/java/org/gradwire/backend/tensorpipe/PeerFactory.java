package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.address.NetworkAddress;
import org.gradwire.backend.tensorpipe.address.Route;
import org.gradwire.backend.tensorpipe.address.WorkerAddress;
import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.auth.Identity;
import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.channel.BulkAuthenticator;
import org.gradwire.backend.tensorpipe.channel.BulkOwner;
import org.gradwire.backend.tensorpipe.channel.BulkReader;
import org.gradwire.backend.tensorpipe.config.HeapLimits;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;

/** Creates peers with their send queues and, over UDP, the readers of their large buffers. */
final class PeerFactory {
    private final WorkerInfo self;
    private final Identity identity;
    private final TensorPipeOptions options;
    private final Sender sender;
    private final MessageDispatcher messageDispatcher;
    private final PeerCloser closer;
    private final SendBudget sendBudget = new SendBudget(HeapLimits.waiting());
    private final SecureRandom random = new SecureRandom();

    PeerFactory(
            WorkerInfo self,
            Identity identity,
            TensorPipeOptions options,
            Sender sender,
            MessageDispatcher messageDispatcher,
            PeerCloser closer) {
        this.self = self;
        this.identity = identity;
        this.options = options;
        this.sender = sender;
        this.messageDispatcher = messageDispatcher;
        this.closer = closer;
    }

    /** {@return a peer that is reached through shared memory} */
    Peer byMemory(WorkerInfo member, WorkerAddress to, Route route) {
        return create(member, to, route, null);
    }

    /**
     * {@return a peer that is reached over UDP}
     *
     * @param own endpoint of this worker
     * @param at endpoint of the peer
     */
    Peer byNetwork(
            WorkerInfo member,
            WorkerAddress to,
            Route route,
            NetworkAddress own,
            NetworkAddress at) {
        var owner =
                new BulkOwner(
                        new Authenticator.Party(member.id(), to.incarnation()), route.secret());
        return create(member, to, route, bulkReader(member, owner, own, at));
    }

    private Peer create(
            WorkerInfo member, WorkerAddress to, Route route, @Nullable BulkReader bulk) {
        var listener = new PeerListener(sender, messageDispatcher, closer);
        var sendQueue =
                new SendQueue(route.maxFrame(), options.sendQueueBytes(), sendBudget, listener);
        Nonce challenge = Nonce.random(random);
        Nonce memoryProof = Nonce.random(random);
        var peer = new Peer(member, to, route, sendQueue, challenge, memoryProof, bulk);
        listener.setPeer(peer);
        return peer;
    }

    private @Nullable BulkReader bulkReader(
            WorkerInfo member, BulkOwner owner, NetworkAddress own, NetworkAddress at) {
        if (at.tcpPort() == 0 || !options.tcp()) {
            return null;
        }
        return new BulkReader(
                "gradwire-%s-bulk-%d".formatted(self.name(), member.id()),
                InetAddress.ofLiteral(own.host()),
                new InetSocketAddress(at.host(), at.tcpPort()),
                new BulkAuthenticator(identity),
                owner,
                options.livenessNanos());
    }
}
