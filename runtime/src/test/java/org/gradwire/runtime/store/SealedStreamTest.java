package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import org.gradwire.spi.crypto.Aead;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** The encrypted stream of a connection to the store under a man in the middle. */
class SealedStreamTest {
    private static final String TEXT = "an address that no third party may read";

    private final byte[] key = TestKeys.keys();

    private byte[] seal(byte[]... writes) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new SealedOutput(bytes, key)) {
            for (byte[] write : writes) {
                out.write(write);
            }
        }
        return bytes.toByteArray();
    }

    private SealedInput open(byte[] sealed) {
        return new SealedInput(new ByteArrayInputStream(sealed), key);
    }

    private static byte[] concat(List<byte[]> parts) {
        var bytes = new ByteArrayOutputStream();
        parts.forEach(bytes::writeBytes);
        return bytes.toByteArray();
    }

    private List<byte[]> records() throws IOException {
        List<byte[]> records = new ArrayList<>();
        var bytes = new ByteArrayOutputStream();
        try (var out = new SealedOutput(bytes, key)) {
            for (int i = 0; i < 4; i++) {
                bytes.reset();
                out.write(("record " + i).getBytes(UTF_8));
                records.add(bytes.toByteArray());
            }
        }
        return records;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 16_384, 16_385, 100_000})
    void bytesArriveAsTheyWereWritten(int length) throws Exception {
        byte[] plain = new byte[length];
        new Random(length).nextBytes(plain);
        try (SealedInput in = open(seal(plain))) {
            assertArrayEquals(plain, in.readAllBytes());
            assertEquals(-1, in.read());
        }
    }

    @Test
    void singleBytesArriveAsUnsigned() throws Exception {
        try (SealedInput in = open(seal(new byte[] {-1}, new byte[] {0}, new byte[] {127}))) {
            assertEquals(255, in.read());
            assertEquals(0, in.read());
            assertEquals(127, in.read());
            assertEquals(-1, in.read());
        }
    }

    @Test
    void nothingIsReadable() throws Exception {
        byte[] sealed = seal(TEXT.getBytes(UTF_8));
        assertFalse(new String(sealed, ISO_8859_1).contains(TEXT.substring(0, 8)));
        assertEquals(SealedOutput.HEADER_BYTES + TEXT.length() + Aead.TAG_BYTES, sealed.length);
    }

    @Test
    void equalWritesGiveDifferentRecords() throws Exception {
        byte[] sealed = seal(new byte[32], new byte[32]);
        byte[] first = new byte[sealed.length / 2];
        byte[] second = new byte[sealed.length / 2];
        System.arraycopy(sealed, 0, first, 0, first.length);
        System.arraycopy(sealed, first.length, second, 0, second.length);
        assertFalse(Arrays.equals(first, second));
    }

    @Test
    void aFlippedBitAnywhereIsNoticedBeforeAByteIsRead() throws Exception {
        byte[] sealed = seal(TEXT.getBytes(UTF_8));
        for (int bit = 0; bit < sealed.length * 8; bit++) {
            byte[] changed = sealed.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            try (SealedInput in = open(changed)) {
                int flipped = bit;
                assertThrows(IOException.class, in::read, () -> "bit " + flipped);
                assertEquals(0, in.available());
            }
        }
    }

    @Test
    void recordsThatAreDroppedSwappedOrRepeatedDoNotOpen() throws Exception {
        List<byte[]> sent = records();
        List<byte[]> dropped = List.of(sent.get(0), sent.get(2), sent.get(3));
        List<byte[]> swapped = List.of(sent.get(0), sent.get(2), sent.get(1), sent.get(3));
        List<byte[]> repeated = List.of(sent.get(0), sent.get(0), sent.get(1), sent.get(2));
        for (List<byte[]> changed : List.of(dropped, swapped, repeated)) {
            try (SealedInput in = open(concat(changed))) {
                assertEquals("record 0", new String(in.readNBytes(8), UTF_8));
                var failure = assertThrows(IOException.class, in::read);
                assertEquals(
                        "a record of the store is not the one that was sent; the connection ends",
                        failure.getMessage());
            }
        }
        try (SealedInput in = open(concat(sent))) {
            assertEquals("record 0record 1record 2record 3", new String(in.readAllBytes(), UTF_8));
        }
    }

    @Test
    void aRecordThatIsCutShortIsNotAnEnd() throws Exception {
        byte[] sealed = seal(TEXT.getBytes(UTF_8));
        for (int length = 1; length < sealed.length; length++) {
            byte[] cut = Arrays.copyOf(sealed, length);
            try (SealedInput in = open(cut)) {
                assertThrows(EOFException.class, in::read, "length " + length);
            }
        }
    }

    @Test
    void aLengthThatNoRecordHasIsRefusedBeforeMemoryIsTaken() throws Exception {
        for (int length : new int[] {-1, 0, 16, 16_401, Integer.MAX_VALUE}) {
            byte[] header = ByteBuffer.allocate(64).putInt(length).array();
            try (SealedInput in = open(header)) {
                String text = assertThrows(IOException.class, in::read).getMessage();
                assertEquals(
                        "a record of the store has %d bytes; expected 17 to 16400"
                                .formatted(length),
                        text);
            }
        }
    }

    @Test
    void theKeyOfTheOtherDirectionOpensNothing() throws Exception {
        byte[] sealed = seal(TEXT.getBytes(UTF_8));
        try (var in = new SealedInput(new ByteArrayInputStream(sealed), TestKeys.keys())) {
            assertTrue(
                    String.valueOf(assertThrows(IOException.class, in::read).getMessage())
                            .contains("not the"));
        }
    }
}
