package org.gradwire.runtime.store;

import org.gradwire.spi.crypto.Aead;
import org.gradwire.spi.crypto.AeadAlgorithm;

import java.util.Arrays;

/**
 * The keys of one connection to the store, one for each direction and for the identity that each
 * side sends: a key of AES-256-GCM and its initialization vector.
 */
record SessionKeys(
        byte[] clientToServer,
        byte[] serverToClient,
        byte[] clientIdentity,
        byte[] serverIdentity) {
    /** Length of a key and its initialization vector. */
    static final int BYTES = Aead.KEY_BYTES + Aead.IV_BYTES;

    /** {@return the cipher for one of them} */
    static Aead cipher(byte[] keys) {
        return new Aead(
                AeadAlgorithm.AES_256_GCM,
                Arrays.copyOf(keys, Aead.KEY_BYTES),
                Arrays.copyOfRange(keys, Aead.KEY_BYTES, BYTES));
    }
}
