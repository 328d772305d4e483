package org.gradwire.backend.netty;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.UntrustedText;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;

/**
 * Wire format of the handshake, by which both ends of a connection prove their identity before the
 * first frame. All numbers are little-endian.
 *
 * <pre>
 *  listener                                      dialer
 *    "GWNETTY" 0    8 bytes
 *    version        4
 *    0              4
 *    challenge     16                  ---&gt;
 *                                      &lt;---        "GWNETTY" 0    8 bytes
 *                                                 version        4
 *                                                 flags          4
 *                                                 group          8
 *                                                 from, to       4 each: ids
 *                                                 from, to       8 each: incarnations
 *                                                 challenge     16
 *                                                 number         4
 *                                                 proof         32
 *    0              4
 *    0              4
 *    proof         32                  ---&gt;
 *  or
 *    1              4
 *    length         4
 *    reason        32, UTF-8           ---&gt;
 * </pre>
 *
 * <p>Flags: bit 0, the dialer has a token; bits 1 and 2, the {@link Purpose}. The number counts the
 * renewals of a dialer with a listener from 1; that of a lane is 0. A proof is an HMAC-SHA256 over
 * a label, the role of the prover, the dialer's fields without its proof, and the listener's
 * challenge. Its key is the group's token; without one, both incarnations, which only the store
 * contains; for a renewal, the {@linkplain Hello#renewalSecret secret} of the lane for large
 * messages.
 */
final class Handshake {
    static final int VERSION = 2;
    static final int CHALLENGE_BYTES = 32;
    static final int HELLO_BYTES = 100;
    static final int WELCOME_BYTES = 40;

    private static final long MAGIC = 0x0059_5454_454e_5747L; // "GWNETTY"
    private static final int NONCE_BYTES = 16;
    private static final int HAS_TOKEN = 1;
    private static final int REFUSED = 1;
    private static final byte[] LABEL = "gradwire-netty-1".getBytes(StandardCharsets.US_ASCII);
    private static final SecureRandom RANDOM = new SecureRandom();

    private Handshake() {}

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** {@return sixteen bytes from a cryptographic random number generator} */
    static byte[] newChallenge() {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    static ByteBuffer encodeChallenge(byte[] challenge) {
        return buffer(CHALLENGE_BYTES)
                .putLong(MAGIC)
                .putInt(VERSION)
                .putInt(0)
                .put(challenge)
                .flip();
    }

    /**
     * Decode the challenge of the listener.
     *
     * @throws DecodingException when it speaks another protocol or version
     */
    static byte[] decodeChallenge(ByteBuffer bytes) {
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        requireMagic(bytes);
        bytes.getInt();
        byte[] challenge = new byte[NONCE_BYTES];
        bytes.get(challenge);
        return challenge;
    }

    private static void requireMagic(ByteBuffer bytes) {
        if (bytes.getLong() != MAGIC) {
            throw new DecodingException("the other end does not speak the protocol of netty");
        }
        int version = bytes.getInt();
        if (version != VERSION) {
            throw new DecodingException(
                    "the other end speaks version %d of the protocol, this worker version %d; use the same version of Gradwire on all workers"
                            .formatted(version, VERSION));
        }
    }

    /** Role of the worker that computed a proof, or use of a secret. */
    private enum Role {
        CONNECTS((byte) 0),
        LISTENS((byte) 1),
        RENEWS((byte) 2);

        private final byte code;

        Role(byte code) {
            this.code = code;
        }
    }

    /**
     * The fields that the dialer sends, without its proof.
     *
     * @param number of a renewal, from 1; 0 for a lane
     * @param from the dialer
     * @param to the listener
     * @param challenge of the dialer
     */
    record Hello(
            boolean hasToken,
            Purpose purpose,
            int number,
            long group,
            Identity.Member from,
            Identity.Member to,
            byte[] challenge) {

        /** {@return the HELLO with its proof} */
        ByteBuffer encode(SharedSecret sharedSecret, byte[] challengeOfListener) {
            return buffer(HELLO_BYTES)
                    .put(fields())
                    .put(proof(sharedSecret, challengeOfListener, Role.CONNECTS))
                    .flip();
        }

        private ByteBuffer fields() {
            return buffer(HELLO_BYTES - SharedSecret.SIGNATURE_BYTES)
                    .putLong(MAGIC)
                    .putInt(VERSION)
                    .putInt((hasToken ? HAS_TOKEN : 0) | purpose.flags())
                    .putLong(group)
                    .putInt(from.id())
                    .putInt(to.id())
                    .putLong(from.incarnation())
                    .putLong(to.incarnation())
                    .put(challenge)
                    .putInt(number)
                    .flip();
        }

        private byte[] proof(SharedSecret sharedSecret, byte[] challengeOfListener, Role role) {
            byte[] incarnations =
                    buffer(2 * Long.BYTES)
                            .putLong(from.incarnation())
                            .putLong(to.incarnation())
                            .array();
            ByteBuffer text =
                    buffer(LABEL.length + 1 + HELLO_BYTES + NONCE_BYTES)
                            .put(LABEL)
                            .put(role.code)
                            .put(fields())
                            .put(challengeOfListener)
                            .flip();
            byte[] bytes = new byte[text.remaining()];
            text.get(bytes);
            return sharedSecret.or(incarnations).sign(bytes);
        }

        /** {@return whether the dialer computed a proof with the same secret} */
        boolean isProven(byte[] proof, SharedSecret sharedSecret, byte[] challengeOfListener) {
            return MessageDigest.isEqual(
                    proof, proof(sharedSecret, challengeOfListener, Role.CONNECTS));
        }

        /**
         * {@return the secret of a lane with TLS, by which renewals are proven}
         *
         * <p>Only the ends of the lane know it, since TLS has encrypted their challenges.
         */
        SharedSecret renewalSecret(SharedSecret sharedSecret, byte[] challengeOfListener) {
            return new SharedSecret(proof(sharedSecret, challengeOfListener, Role.RENEWS));
        }

        /** {@return the WELCOME of the listener} */
        ByteBuffer welcome(SharedSecret sharedSecret, byte[] challengeOfListener) {
            return buffer(WELCOME_BYTES)
                    .putInt(0)
                    .putInt(0)
                    .put(proof(sharedSecret, challengeOfListener, Role.LISTENS))
                    .flip();
        }

        /**
         * Decode the WELCOME or the refusal of the listener.
         *
         * @return whether the listener has proven its identity
         */
        Outcome readWelcome(
                ByteBuffer welcome, SharedSecret sharedSecret, byte[] challengeOfListener) {
            welcome.order(ByteOrder.LITTLE_ENDIAN);
            int status = welcome.getInt();
            int length = welcome.getInt();
            byte[] proof = new byte[SharedSecret.SIGNATURE_BYTES];
            welcome.get(proof);
            if (status == REFUSED) {
                int shown = Math.clamp(length, 0, proof.length);
                return new Outcome(
                        false,
                        UntrustedText.quote(new String(proof, 0, shown, StandardCharsets.UTF_8)));
            }
            boolean isProven =
                    MessageDigest.isEqual(
                            proof, proof(sharedSecret, challengeOfListener, Role.LISTENS));
            return new Outcome(isProven, isProven ? "" : OTHER_TOKEN);
        }
    }

    /** Reason of a refusal: the proof is wrong. */
    static final String OTHER_TOKEN = "its token is different";

    /** Reason of a refusal: only one end has a token. */
    static final String ONE_TOKEN = "one of the two has no token";

    /** Reason of a refusal: the certificate is that of another worker. */
    static final String OTHER_CERTIFICATE = "its certificate has another name";

    /**
     * Outcome of a handshake for the dialer.
     *
     * @param refusal reason of the listener to refuse, or of the dialer to reject the proof; else
     *     empty
     */
    record Outcome(boolean isProven, String refusal) {}

    /** A HELLO with its proof, which is not yet verified. */
    record SignedHello(Hello hello, byte[] proof) {}

    /**
     * Decode the HELLO of the dialer.
     *
     * @throws DecodingException when it speaks another protocol or version
     */
    static SignedHello decodeHello(ByteBuffer bytes) {
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        requireMagic(bytes);
        int flags = bytes.getInt();
        long group = bytes.getLong();
        int from = bytes.getInt();
        int to = bytes.getInt();
        var fromParty = new Identity.Member(from, bytes.getLong());
        var toParty = new Identity.Member(to, bytes.getLong());
        byte[] challenge = new byte[NONCE_BYTES];
        bytes.get(challenge);
        int number = bytes.getInt();
        byte[] proof = new byte[SharedSecret.SIGNATURE_BYTES];
        bytes.get(proof);
        var hello =
                new Hello(
                        (flags & HAS_TOKEN) != 0,
                        Purpose.of(flags),
                        number,
                        group,
                        fromParty,
                        toParty,
                        challenge);
        return new SignedHello(hello, proof);
    }

    /** {@return the reply of a listener that refuses a dialer} */
    static ByteBuffer refusal(String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        return buffer(WELCOME_BYTES)
                .putInt(REFUSED)
                .putInt(text.length)
                .put(text, 0, Math.min(text.length, SharedSecret.SIGNATURE_BYTES))
                .position(0)
                .limit(WELCOME_BYTES);
    }
}
