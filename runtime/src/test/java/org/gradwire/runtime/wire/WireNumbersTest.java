package org.gradwire.runtime.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.wire.BinaryWire;

import org.gradwire.spi.DecodingException;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * Integers are encoded as in Chronicle's binary wire, in its shortest forms; jqwik prints the seed.
 */
class WireNumbersTest {

    /** Numbers around the powers of two, at which forms change. */
    @Provide
    Arbitrary<Long> numbers() {
        return Arbitraries.integers()
                .between(0, Long.SIZE - 1)
                .flatMap(bit ->
                        Arbitraries.longs()
                                .between(-300, 300)
                                .map(near -> (1L << bit) * (near % 2 == 0 ? 1 : -1) + near));
    }

    private static byte[] written(long number) {
        byte[] bytes = new byte[WireNumbers.MOST_BYTES];
        return Arrays.copyOf(bytes, WireNumbers.write(number, bytes, 0));
    }

    @Property(tries = 5000)
    void chronicleReadsWhatIsWritten(@ForAll("numbers") long number) {
        byte[] bytes = written(number);
        assertEquals(number, new BinaryWire(Bytes.wrapForRead(bytes)).getValueIn().int64());
        assertEquals(number, WireNumbers.readLong(bytes, 0));
        assertEquals(bytes.length, WireNumbers.longBytes(bytes[0] & 0xff));
        if (number == (int) number) {
            assertEquals(number, WireNumbers.readInt(bytes, 0));
            assertEquals(bytes.length, WireNumbers.intBytes(bytes[0] & 0xff));
        }
    }

    /** Chronicle would use a float for some numbers, which is not a form here. */
    @Property(tries = 5000)
    void noOtherFormIsShorter(@ForAll("numbers") long number) {
        Bytes<byte[]> bytes = Bytes.allocateElasticOnHeap(WireNumbers.MOST_BYTES);
        new BinaryWire(bytes).getValueOut().int64(number);
        int code = bytes.readUnsignedByte(0);
        boolean isFloat = code == 0x90;
        long length = bytes.readRemaining();
        assertTrue(
                isFloat || written(number).length <= length,
                () -> "%d takes %d bytes".formatted(number, length));
    }

    @Test
    void otherCodesAreRefused() {
        Set<Integer> known = new TreeSet<>(Set.of(0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7));
        for (int code = 0x80; code < 0x100; code++) {
            int each = code;
            if (known.contains(code)) {
                assertTrue(WireNumbers.longBytes(code) > 1);
            } else {
                assertThrows(DecodingException.class, () -> WireNumbers.longBytes(each));
            }
        }
        assertThrows(DecodingException.class, () -> WireNumbers.intBytes(0xA3));
        assertThrows(DecodingException.class, () -> WireNumbers.intBytes(0xA7));
    }
}
