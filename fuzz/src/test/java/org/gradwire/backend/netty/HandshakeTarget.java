package org.gradwire.backend.netty;

import org.gradwire.spi.DecodingException;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Fuzz target: the bytes of a stranger that has not proven its identity yet, and its address in the
 * store. The first byte selects the decoder.
 */
public final class HandshakeTarget {
    private static final SharedSecret SECRET = new SharedSecret("a token of the group");
    private static final byte[] CHALLENGE = new byte[16];

    private HandshakeTarget() {}

    /** Decode a handshake. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
        try {
            switch (input[0]) {
                case 'A' -> requireSame(Address.decode(bytes));
                case 'C' -> Handshake.decodeChallenge(exactly(Handshake.CHALLENGE_BYTES, bytes));
                default -> greet(exactly(Handshake.HELLO_BYTES, bytes));
            }
        } catch (DecodingException _) { // the expected end of a malformed handshake
        }
    }

    private static void requireSame(Address address) {
        if (!Address.decode(address.encode()).equals(address)) {
            throw new AssertionError(address + " changes when it is encoded");
        }
    }

    private static void greet(ByteBuffer bytes) {
        var signed = Handshake.decodeHello(bytes.duplicate());
        if (signed.hello().isProven(signed.proof(), SECRET, CHALLENGE)) {
            throw new AssertionError("a proof without the token");
        }
        var outcome = signed.hello().readWelcome(bytes.duplicate(), SECRET, CHALLENGE);
        if (outcome.isProven()) {
            throw new AssertionError("a proof without the token");
        }
    }

    /** {@return the bytes, cut or followed by zeros: readers wait until all have arrived} */
    private static ByteBuffer exactly(int length, byte[] bytes) {
        return ByteBuffer.wrap(Arrays.copyOf(bytes, length));
    }

    /** {@return one handshake of each kind} */
    public static List<byte[]> seeds() {
        var member = new Identity.Member(1, 2);
        var hello = new Handshake.Hello(true, Purpose.LARGE_LANE, 0, 3, member, member, CHALLENGE);
        var renewal = new Handshake.Hello(true, Purpose.RENEWAL, 1, 3, member, member, CHALLENGE);
        var address =
                new Address(7, new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711), true);
        return List.of(
                seed('A', ByteBuffer.wrap(address.encode())),
                seed('C', Handshake.encodeChallenge(CHALLENGE)),
                seed('H', hello.encode(new SharedSecret("another token"), CHALLENGE)),
                seed('H', renewal.encode(new SharedSecret("a secret of a lane"), CHALLENGE)),
                seed('H', Handshake.refusal("a reason")));
    }

    private static byte[] seed(char decoder, ByteBuffer bytes) {
        return ByteBuffer.allocate(1 + bytes.remaining()).put((byte) decoder).put(bytes).array();
    }
}
