package org.gradwire.backend.netty;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.UntrustedText;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;

/**
 * The bytes with which both ends of a connection show who they are, before the first frame. All
 * numbers are little-endian.
 *
 * <pre>
 *  who listens                                   who connects
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
 *                                                 proof         32
 *    0              4
 *    0              4
 *    proof         32                  ---&gt;
 *  or
 *    1              4
 *    length         4
 *    why           32, UTF-8           ---&gt;
 * </pre>
 *
 * <p>Flags: bit 0, the connecting worker has a token; bit 1, the connection is for large messages.
 * A proof is an HMAC-SHA256 over a label, the role of its maker and all of the other fields. Its
 * key is the group's token, or, without one, both incarnations, which stand in the store only.
 */
final class Greeting {
    static final int VERSION = 1;
    static final int CHALLENGE_BYTES = 32;
    static final int HELLO_BYTES = 96;
    static final int WELCOME_BYTES = 40;

    private static final long MAGIC = 0x0059_5454_454e_5747L; // "GWNETTY"
    private static final int NONCE_BYTES = 16;
    private static final int HAS_TOKEN = 1;
    private static final int FOR_LARGE = 2;
    private static final int REFUSED = 1;
    private static final byte[] LABEL = "gradwire-netty-1".getBytes(StandardCharsets.US_ASCII);
    private static final SecureRandom RANDOM = new SecureRandom();

    private Greeting() {}

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** {@return sixteen bytes that nobody can guess} */
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
     * Read the first bytes of who listens.
     *
     * @throws DecodingException when it speaks something else
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
                    "the other end speaks version %d of the protocol, this worker version %d; use the same Gradwire on all workers"
                            .formatted(version, VERSION));
        }
    }

    /** Whose proof it is. */
    private enum Role {
        CONNECTS((byte) 0),
        LISTENS((byte) 1);

        private final byte code;

        Role(byte code) {
            this.code = code;
        }
    }

    /**
     * What the connecting worker says of a connection.
     *
     * @param isForLarge whether it is the lane of large messages
     * @param challenge of the connecting worker
     */
    record Hello(
            boolean hasToken,
            boolean isForLarge,
            long group,
            Identity.Party from,
            Identity.Party to,
            byte[] challenge) {

        /** {@return the bytes of the whole HELLO} */
        ByteBuffer encode(Token token, byte[] challengeOfListener) {
            return buffer(HELLO_BYTES)
                    .put(fields())
                    .put(proof(token, challengeOfListener, Role.CONNECTS))
                    .flip();
        }

        private ByteBuffer fields() {
            return buffer(HELLO_BYTES - Token.SIGNATURE_BYTES)
                    .putLong(MAGIC)
                    .putInt(VERSION)
                    .putInt((hasToken ? HAS_TOKEN : 0) | (isForLarge ? FOR_LARGE : 0))
                    .putLong(group)
                    .putInt(from.id())
                    .putInt(to.id())
                    .putLong(from.incarnation())
                    .putLong(to.incarnation())
                    .put(challenge)
                    .flip();
        }

        private byte[] proof(Token token, byte[] challengeOfListener, Role role) {
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
            return token.or(incarnations).sign(bytes);
        }

        /** {@return whether the connecting worker has made this proof} */
        boolean isProven(byte[] proof, Token token, byte[] challengeOfListener) {
            return MessageDigest.isEqual(proof, proof(token, challengeOfListener, Role.CONNECTS));
        }

        /** {@return the answer of who listens} */
        ByteBuffer welcome(Token token, byte[] challengeOfListener) {
            return buffer(WELCOME_BYTES)
                    .putInt(0)
                    .putInt(0)
                    .put(proof(token, challengeOfListener, Role.LISTENS))
                    .flip();
        }

        /**
         * Read the answer of who listens.
         *
         * @return empty when it has proven who it is, or why it refuses
         */
        Answer answer(ByteBuffer welcome, Token token, byte[] challengeOfListener) {
            welcome.order(ByteOrder.LITTLE_ENDIAN);
            int status = welcome.getInt();
            int length = welcome.getInt();
            byte[] proof = new byte[Token.SIGNATURE_BYTES];
            welcome.get(proof);
            if (status == REFUSED) {
                int shown = Math.clamp(length, 0, proof.length);
                return new Answer(
                        false,
                        UntrustedText.quote(new String(proof, 0, shown, StandardCharsets.UTF_8)));
            }
            boolean isProven =
                    MessageDigest.isEqual(proof, proof(token, challengeOfListener, Role.LISTENS));
            return new Answer(isProven, isProven ? "" : OTHER_TOKEN);
        }
    }

    /** Why a greeting is refused. */
    static final String OTHER_TOKEN = "its token is another";

    /** Why a greeting is refused. */
    static final String ONE_TOKEN = "one of the two has no token";

    /**
     * An answer to a HELLO.
     *
     * @param why it was refused, or cannot be believed
     */
    record Answer(boolean isProven, String why) {}

    /** A HELLO that has arrived, and its proof. */
    record Arrived(Hello hello, byte[] proof) {}

    /**
     * Read what the connecting worker says.
     *
     * @throws DecodingException when it speaks something else
     */
    static Arrived decodeHello(ByteBuffer bytes) {
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        requireMagic(bytes);
        int flags = bytes.getInt();
        long group = bytes.getLong();
        int from = bytes.getInt();
        int to = bytes.getInt();
        var fromParty = new Identity.Party(from, bytes.getLong());
        var toParty = new Identity.Party(to, bytes.getLong());
        byte[] challenge = new byte[NONCE_BYTES];
        bytes.get(challenge);
        byte[] proof = new byte[Token.SIGNATURE_BYTES];
        bytes.get(proof);
        var hello =
                new Hello(
                        (flags & HAS_TOKEN) != 0,
                        (flags & FOR_LARGE) != 0,
                        group,
                        fromParty,
                        toParty,
                        challenge);
        return new Arrived(hello, proof);
    }

    /** {@return the answer of who listens to a worker that it refuses} */
    static ByteBuffer refusal(String why) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        return buffer(WELCOME_BYTES)
                .putInt(REFUSED)
                .putInt(text.length)
                .put(text, 0, Math.min(text.length, Token.SIGNATURE_BYTES))
                .position(0)
                .limit(WELCOME_BYTES);
    }
}
