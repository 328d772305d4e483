package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.DecodingException;

import java.nio.file.Path;

/**
 * Agrees with peers under the same media driver that large buffers are read from the memory of
 * their owner.
 *
 * <pre>
 *  reader                                 owner
 *    HELLO(memory proof)       ---&gt;        places the proof when the greetings are accepted
 *                              &lt;---        MEMORY_OFFER(address)
 *    asks the kernel for the owner's process,
 *    reads the proof there
 *    MEMORY_ACCEPT             ---&gt;        leaves large buffers in place from now on
 * </pre>
 *
 * <p>A peer names an address, never a process: that is the one which listens at the peer's {@link
 * MemoryEndpoint} in this worker's own driver directory. It is read only if it runs as the same
 * user, is not this process, and holds the bytes that this worker has chosen. Confined to the
 * receive loop.
 */
final class MemoryAccess {
    private final boolean isEnabled;
    private final DriverDirectory directory;

    MemoryAccess(Options options, DriverDirectory directory) {
        isEnabled = options.singleCopy() && LibC.isAvailable();
        this.directory = directory;
    }

    private boolean isPossible(Peer peer) {
        Inbound session = peer.inbound();
        return isEnabled && peer.route().isIpc() && (session == null || session.isIpc());
    }

    /** {@return what a HELLO asks the peer to place in its memory} */
    Nonce proofFor(Peer peer) {
        return isPossible(peer) ? peer.memoryProof() : Nonce.NONE;
    }

    /** Tell an open peer where its proof lies, if it has sent one. */
    void offer(Peer peer) {
        HelloFrame hello = peer.hello();
        if (hello == null || hello.memoryProof().equals(Nonce.NONE) || !isPossible(peer)) {
            return;
        }
        peer.onMemoryOffered();
        long address = peer.guard().place(hello.memoryProof());
        peer.outbox().control(new MemoryOfferFrame(address));
    }

    /** Read the peer's memory from now on, if its process and the proof there are right. */
    void onOffer(Peer peer, MemoryOfferFrame offer) {
        if (!isPossible(peer) || peer.memory() != null) {
            throw new DecodingException("MEMORY_OFFER where none was asked for");
        }
        Path endpoint = directory.memoryEndpoint(peer.address().incarnation());
        PeerCredentials owner = PeerCredentials.of(endpoint);
        if (owner == null || !owner.mayBeRead()) {
            return;
        }
        var location = new MemoryLocation(owner.pid(), offer.proofAddress(), peer.memoryProof());
        var memory = new RemoteMemory(location);
        if (memory.isReadable()) {
            peer.readMemory(location, memory);
            peer.outbox().control(new MemoryAcceptFrame());
        }
    }

    /** Leave large buffers for the peer in place from now on. */
    void onAccept(Peer peer) {
        if (!peer.isMemoryOffered()) {
            throw new DecodingException("MEMORY_ACCEPT without an offer");
        }
        peer.onMemoryAccepted();
    }
}
