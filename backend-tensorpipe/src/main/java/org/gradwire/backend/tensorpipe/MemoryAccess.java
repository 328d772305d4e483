package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.channel.MemoryEndpoint;
import org.gradwire.backend.tensorpipe.channel.MemoryLocation;
import org.gradwire.backend.tensorpipe.channel.RemoteMemory;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.driver.DriverDirectory;
import org.gradwire.backend.tensorpipe.frame.HelloFrame;
import org.gradwire.backend.tensorpipe.frame.MemoryAcceptFrame;
import org.gradwire.backend.tensorpipe.frame.MemoryOfferFrame;
import org.gradwire.backend.tensorpipe.os.LibC;
import org.gradwire.backend.tensorpipe.os.PeerCredentials;
import org.gradwire.spi.DecodingException;

import java.nio.file.Path;

/**
 * Negotiates single copies with peers under the same media driver: the receiver reads large buffers
 * from the sender's memory.
 *
 * <pre>
 *  reader                                 owner
 *    HELLO(memory proof)       ---&gt;        places the proof when the handshake is complete
 *                              &lt;---        MEMORY_OFFER(address)
 *    asks the kernel for the owner's process,
 *    reads the proof there
 *    MEMORY_ACCEPT             ---&gt;        leaves large buffers in place </pre>
 *
 * <p>A peer sends an address, never a process id: the process is the listener at the peer's {@link
 * MemoryEndpoint} in this worker's driver directory. Its memory is read only if it runs as the same
 * user, is not this process, and contains the bytes that this worker chose. Confined to the receive
 * loop.
 */
final class MemoryAccess {
    private final boolean isEnabled;
    private final DriverDirectory directory;

    MemoryAccess(TensorPipeOptions options, DriverDirectory directory) {
        isEnabled = options.singleCopy() && LibC.isAvailable();
        this.directory = directory;
    }

    private boolean isPossible(Peer peer) {
        InboundSession session = peer.inboundSession();
        return isEnabled && peer.route().isIpc() && (session == null || session.isIpc());
    }

    /** {@return the proof in a HELLO, which the peer places in its memory} */
    Nonce proofFor(Peer peer) {
        return isPossible(peer) ? peer.memoryProof() : Nonce.NONE;
    }

    /** Send an open peer the address of its proof, if its HELLO had one. */
    void offer(Peer peer) {
        HelloFrame hello = peer.hello();
        if (hello == null || hello.memoryProof().equals(Nonce.NONE) || !isPossible(peer)) {
            return;
        }
        peer.onMemoryOffered();
        long address = peer.memoryCanary().place(hello.memoryProof());
        peer.sendQueue().control(new MemoryOfferFrame(address));
    }

    /** Handle the peer's offer: read its memory if its process and the proof are valid. */
    void onOffer(Peer peer, MemoryOfferFrame offer) {
        if (!isPossible(peer) || peer.memory() != null) {
            throw new DecodingException("MEMORY_OFFER without a request");
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
            peer.sendQueue().control(new MemoryAcceptFrame());
        }
    }

    /** Handle the peer's acceptance: leave large buffers to it in place. */
    void onAccept(Peer peer) {
        if (!peer.isMemoryOffered()) {
            throw new DecodingException("MEMORY_ACCEPT without an offer");
        }
        peer.onMemoryAccepted();
    }
}
