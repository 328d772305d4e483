package org.gradwire.backend.tensorpipe.seal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.spi.crypto.AeadAlgorithm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.Arrays;

class StreamSealTest {
    private static final int LENGTH = 100;
    private static final int RECORDS_PER_KEY = 4;

    private static StreamSeal end(AeadAlgorithm algorithm, boolean isLower, boolean isOwn, int of) {
        byte[] challenges = new byte[32];
        challenges[31] = (byte) of;
        var secret = new PairSecret(algorithm, isLower, new byte[32]);
        return StreamSeal.of(secret, isOwn, challenges, RECORDS_PER_KEY);
    }

    private static byte[] text(int number) {
        byte[] text = new byte[LENGTH];
        Arrays.fill(text, (byte) number);
        return text;
    }

    private static byte[] seal(StreamSeal writer, int number) {
        byte[] record = Arrays.copyOf(text(number), LENGTH + StreamSeal.OVERHEAD);
        writer.seal(record, LENGTH);
        return record;
    }

    private static void assertOpens(StreamSeal reader, byte[] record, int number)
            throws IOException {
        byte[] text = new byte[LENGTH];
        reader.open(record, LENGTH, text);
        assertArrayEquals(text(number), text);
    }

    private static void assertRefused(StreamSeal reader, byte[] record) {
        assertThrows(IOException.class, () -> reader.open(record, LENGTH, new byte[LENGTH]));
    }

    @ParameterizedTest
    @EnumSource
    void recordsOpenInSequenceAcrossKeys(AeadAlgorithm algorithm) throws IOException {
        StreamSeal writer = end(algorithm, true, true, 1);
        StreamSeal reader = end(algorithm, false, false, 1);
        for (int i = 0; i < 5 * RECORDS_PER_KEY; i++) {
            assertOpens(reader, seal(writer, i), i);
        }
    }

    @ParameterizedTest
    @EnumSource
    void noRecordIsChangedDroppedRepeatedOrMoved(AeadAlgorithm algorithm) throws IOException {
        StreamSeal writer = end(algorithm, true, true, 1);
        StreamSeal reader = end(algorithm, false, false, 1);
        byte[] first = seal(writer, 1);
        byte[] second = seal(writer, 2);
        for (int i = 0; i < first.length; i++) {
            byte[] forged = first.clone();
            forged[i] ^= 1;
            assertRefused(reader, forged);
        }
        assertRefused(reader, second);
        assertOpens(reader, first, 1);
        assertRefused(reader, first);
        assertOpens(reader, second, 2);
    }

    @Test
    void recordsOfTheOtherDirectionOrAnotherConnectionAreRefused() throws IOException {
        AeadAlgorithm algorithm = AeadAlgorithm.AES_256_GCM;
        StreamSeal reader = end(algorithm, false, false, 1);
        assertRefused(reader, seal(end(algorithm, false, true, 1), 1));
        assertRefused(reader, seal(end(algorithm, true, true, 2), 1));
        assertOpens(reader, seal(end(algorithm, true, true, 1), 1), 1);
    }
}
