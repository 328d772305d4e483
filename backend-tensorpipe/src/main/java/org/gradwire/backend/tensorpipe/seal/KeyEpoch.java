package org.gradwire.backend.tensorpipe.seal;

import org.gradwire.spi.crypto.Aead;
import org.gradwire.spi.crypto.AeadAlgorithm;
import org.gradwire.spi.crypto.Hkdf;

import java.util.Arrays;

/**
 * The key of one lane for some time. The key of the next epoch follows from the secret of this
 * epoch, but not the reverse: a stolen key does not open what was sealed before. For one thread.
 */
final class KeyEpoch {
    private final AeadAlgorithm algorithm;
    private final long number;
    private final byte[] secret;
    private final Aead aead;

    private KeyEpoch(AeadAlgorithm algorithm, long number, byte[] secret) {
        this.algorithm = algorithm;
        this.number = number;
        this.secret = secret;
        byte[] key = Hkdf.expand(secret, "key", Aead.KEY_BYTES);
        aead = new Aead(algorithm, key, Hkdf.expand(secret, "iv", Aead.IV_BYTES));
        Arrays.fill(key, (byte) 0);
    }

    /** {@return the first epoch of a lane, which takes the secret over} */
    static KeyEpoch first(AeadAlgorithm algorithm, byte[] secret) {
        return new KeyEpoch(algorithm, 0, secret);
    }

    /** {@return the next epoch; to be called once, since it erases the secret of this one} */
    KeyEpoch next() {
        var next = new KeyEpoch(algorithm, number + 1, Hkdf.expand(secret, "next", secret.length));
        Arrays.fill(secret, (byte) 0);
        return next;
    }

    long number() {
        return number;
    }

    Aead aead() {
        return aead;
    }
}
