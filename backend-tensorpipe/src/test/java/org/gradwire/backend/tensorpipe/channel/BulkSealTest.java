package org.gradwire.backend.tensorpipe.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.seal.PairSecret;
import org.gradwire.backend.tensorpipe.seal.StreamSeal;
import org.gradwire.spi.crypto.AeadAlgorithm;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Random;

class BulkSealTest {
    private static final int LENGTH = 2 * StreamSeal.MOST_BYTES + 10;

    private final byte[] text = new byte[LENGTH];

    BulkSealTest() {
        new Random(5).nextBytes(text);
    }

    private static BulkSeal end(boolean isLower, int challenge) {
        var secret = new PairSecret(AeadAlgorithm.AES_256_GCM, isLower, new byte[32]);
        var nonce = new Nonce(challenge, 1);
        var challenges = new BulkAuthenticator.Challenges(Nonce.NONE, nonce, nonce);
        return Objects.requireNonNull(BulkSeal.of(secret, challenges));
    }

    private static byte[] write(BulkSeal end, byte[]... texts) throws IOException {
        var wire = new ByteArrayOutputStream();
        for (byte[] each : texts) {
            end.write(
                    ByteBuffer.wrap(each),
                    bytes -> {
                        byte[] some = new byte[bytes.remaining()];
                        bytes.get(some);
                        wire.writeBytes(some);
                    });
        }
        return wire.toByteArray();
    }

    private static byte[] read(BulkSeal end, ByteBuffer wire, int length) throws IOException {
        ByteBuffer text = ByteBuffer.allocateDirect(length);
        end.read(
                text,
                bytes -> {
                    bytes.put(wire.slice(wire.position(), bytes.remaining()));
                    wire.position(wire.position() + bytes.limit());
                });
        byte[] read = new byte[length];
        text.flip().get(read);
        return read;
    }

    @Test
    void textsOfAnyLengthArriveInBothDirections() throws IOException {
        BulkSeal reader = end(true, 1);
        BulkSeal owner = end(false, 1);
        assertArrayEquals(
                new byte[24], read(owner, ByteBuffer.wrap(write(reader, new byte[24])), 24));
        byte[] wire = write(owner, new byte[8], text);
        assertEquals(8 + LENGTH + 4 * StreamSeal.OVERHEAD, wire.length);
        String readable = new String(wire, StandardCharsets.ISO_8859_1);
        assertFalse(readable.contains(new String(text, 0, 8, StandardCharsets.ISO_8859_1)));
        var arrived = ByteBuffer.wrap(wire);
        assertArrayEquals(new byte[8], read(reader, arrived, 8));
        assertArrayEquals(text, read(reader, arrived, LENGTH));
    }

    @Test
    void aChangedSwappedOrReplayedRecordEndsTheRead() throws IOException {
        byte[] wire = write(end(false, 1), text);
        int record = StreamSeal.MOST_BYTES + StreamSeal.OVERHEAD;
        for (int at = 0; at < wire.length; at += 997) {
            byte[] changed = wire.clone();
            changed[at] ^= 1;
            assertRefused(changed, 1);
        }
        byte[] swapped = wire.clone();
        System.arraycopy(wire, 0, swapped, record, record);
        System.arraycopy(wire, record, swapped, 0, record);
        assertRefused(swapped, 1);
        byte[] doubled = wire.clone();
        System.arraycopy(wire, 0, doubled, record, record);
        assertRefused(doubled, 1);
        assertRefused(wire, 2); // replayed in another connection
    }

    private static void assertRefused(byte[] wire, int challenge) {
        BulkSeal reader = end(true, challenge);
        assertThrows(IOException.class, () -> read(reader, ByteBuffer.wrap(wire), LENGTH));
    }

    @Test
    void withoutASecretThereIsNone() {
        var challenges = new BulkAuthenticator.Challenges(Nonce.NONE, Nonce.NONE, Nonce.NONE);
        assertNull(BulkSeal.of(null, challenges));
    }
}
