package org.gradwire.backend.tensorpipe.channel;

import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.seal.PairSecret;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/** A peer that may read the large buffers of messages to it over TCP. Thread-safe. */
public interface BulkPeer {

    /** {@return whether the handshake is complete and the peer is not lost} */
    boolean isOpen();

    /** {@return whether the peer is lost permanently} */
    boolean isLost();

    /** {@return the peer's id and incarnation} */
    Authenticator.Party party();

    /** {@return the challenge of this worker's HELLO to the peer} */
    Nonce challenge();

    /** {@return the secret that this worker and the peer share; null when they do not encrypt} */
    @Nullable PairSecret secret();

    /** {@return the requested buffer; null when no message awaits such a read} */
    @Nullable Lease lease(BulkChannel.Request request);

    /** Keeps a buffer alive until closed. */
    interface Lease extends AutoCloseable {

        /** {@return native memory, readable until {@link #close}} */
        MemorySegment buffer();

        /** End the read. */
        @Override
        void close();
    }
}
