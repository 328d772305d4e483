package org.gradwire.backend.tensorpipe.seal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.crypto.AeadAlgorithm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The guarantees of a sealed datagram, without sockets. */
class DatagramSealTest {
    private static final RekeyLimits SELDOM = new RekeyLimits(1L << 36);

    private long nowNanos = 1;

    private static PairSecret secret(AeadAlgorithm algorithm, boolean isLower) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) 9);
        return new PairSecret(algorithm, isLower, bytes);
    }

    private DatagramSealer sealer(AeadAlgorithm algorithm, RekeyLimits limits) {
        return new DatagramSealer(secret(algorithm, true), Lane.DATA, limits, () -> nowNanos);
    }

    private DatagramOpener opener(AeadAlgorithm algorithm) {
        return new DatagramOpener(secret(algorithm, false), Lane.DATA, () -> nowNanos);
    }

    private static byte[] frames(int number) {
        byte[] frames = new byte[96];
        Arrays.fill(frames, (byte) number);
        return frames;
    }

    private static byte[] seal(DatagramSealer sealer, int number) {
        byte[] out = new byte[96 + DatagramSeal.OVERHEAD];
        assertEquals(out.length, sealer.seal(frames(number), 0, 96, out, 0));
        assertEquals(out.length, DatagramSeal.lengthAt(out, 0, out.length));
        return out;
    }

    private static void assertOpens(DatagramOpener opener, byte[] datagram, int number) {
        byte[] out = new byte[96];
        assertEquals(96, opener.open(datagram, 0, datagram.length, out, 0), "datagram " + number);
        assertArrayEquals(frames(number), out);
    }

    private static void assertRefused(DatagramOpener opener, byte[] datagram) {
        assertEquals(-1, opener.open(datagram, 0, datagram.length, new byte[96 + 16], 0));
    }

    @ParameterizedTest
    @EnumSource
    void eachBitOfADatagramMatters(AeadAlgorithm algorithm) {
        DatagramOpener opener = opener(algorithm);
        byte[] datagram = seal(sealer(algorithm, SELDOM), 1);
        for (int bit = 0; bit < 8 * datagram.length; bit++) {
            byte[] forged = datagram.clone();
            forged[bit / 8] ^= (byte) (1 << bit % 8);
            assertRefused(opener, forged);
        }
        for (int length = DatagramSeal.HEADER_BYTES; length < datagram.length; length++) {
            assertRefused(opener, Arrays.copyOf(datagram, length));
        }
        assertOpens(opener, datagram, 1);
        assertRefused(opener, datagram);
    }

    @ParameterizedTest
    @EnumSource
    void datagramsOfAnotherLaneDirectionOrPairAreRefused(AeadAlgorithm algorithm) {
        DatagramOpener opener = opener(algorithm);
        byte[] other = new byte[32];
        var sealers =
                List.of(
                        new DatagramSealer(
                                secret(algorithm, true), Lane.STATUS, SELDOM, () -> nowNanos),
                        new DatagramSealer(
                                secret(algorithm, false), Lane.DATA, SELDOM, () -> nowNanos),
                        new DatagramSealer(
                                new PairSecret(algorithm, true, other),
                                Lane.DATA,
                                SELDOM,
                                () -> nowNanos));
        Set<Long> keyIds = new HashSet<>();
        byte[] right = seal(sealer(algorithm, SELDOM), 1);
        keyIds.add(DatagramSeal.keyIdAt(right, 0));
        for (DatagramSealer sealer : sealers) {
            byte[] wrong = seal(sealer, 1);
            keyIds.add(DatagramSeal.keyIdAt(wrong, 0));
            assertRefused(opener, wrong);
        }
        assertEquals(4, keyIds.size());
        assertOpens(opener, right, 1);
    }

    @ParameterizedTest
    @EnumSource
    void datagramsOpenOnceInAnyOrderAcrossManyKeys(AeadAlgorithm algorithm) {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        DatagramSealer sealer = sealer(algorithm, new RekeyLimits(20 * 96));
        DatagramOpener opener = opener(algorithm);
        Set<List<Byte>> headers = new HashSet<>();
        for (int round = 0; round < 100; round++) {
            List<byte[]> sent = new ArrayList<>();
            for (int i = 0; i < 15; i++) { // less than one key's
                sent.add(seal(sealer, i));
            }
            var numbers =
                    new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14));
            Collections.shuffle(numbers, random);
            for (int i : numbers) {
                byte[] datagram = sent.get(i);
                assertOpens(opener, datagram, i);
                assertRefused(opener, datagram);
                headers.add(header(datagram));
            }
        }
        assertEquals(100 * 15, headers.size(), "a number was used twice");
        assertEquals(100 * 15 / 20 - 1, sealer.epoch());
    }

    private static List<Byte> header(byte[] datagram) {
        List<Byte> header = new ArrayList<>();
        for (int i = 0; i < DatagramSeal.HEADER_BYTES; i++) {
            header.add(datagram[i]);
        }
        return header;
    }

    @ParameterizedTest
    @EnumSource
    void allDatagramsOfSomeKeysMayBeLost(AeadAlgorithm algorithm) {
        DatagramSealer sealer = sealer(algorithm, new RekeyLimits(96));
        DatagramOpener opener = opener(algorithm);
        assertOpens(opener, seal(sealer, 0), 0);
        for (int i = 2; i < DatagramOpener.MOST_AHEAD; i++) {
            seal(sealer, 1);
        }
        byte[] late = seal(sealer, 3);
        byte[] next = seal(sealer, 4);
        assertOpens(opener, next, 4);
        assertOpens(opener, late, 3);
        for (int i = 0; i < DatagramOpener.MOST_AHEAD; i++) {
            seal(sealer, i);
        }
        assertRefused(opener, seal(sealer, 9));
    }

    @ParameterizedTest
    @EnumSource
    void thePreviousKeyIsValidForTenSecondsAndEachForAnHour(AeadAlgorithm algorithm) {
        DatagramSealer sealer = sealer(algorithm, SELDOM);
        DatagramOpener opener = opener(algorithm);
        byte[] first = seal(sealer, 1);
        byte[] second = seal(sealer, 2);
        byte[] third = seal(sealer, 3);
        assertOpens(opener, first, 1);
        nowNanos += RekeyLimits.MOST_NANOS + 1;
        byte[] next = seal(sealer, 4);
        assertEquals(1, sealer.epoch());
        assertNotEquals(DatagramSeal.epochAt(first, 0), DatagramSeal.epochAt(next, 0));
        assertOpens(opener, next, 4);
        assertOpens(opener, second, 2);
        nowNanos += TimeUnit.SECONDS.toNanos(11);
        assertRefused(opener, third);
        assertOpens(opener, seal(sealer, 5), 5);
    }

    @ParameterizedTest
    @EnumSource
    void theEpochsNumberMayExceedWhatADatagramCarries(AeadAlgorithm algorithm) {
        DatagramSealer sealer = sealer(algorithm, new RekeyLimits(96));
        DatagramOpener opener = opener(algorithm);
        int most = algorithm == AeadAlgorithm.AES_256_GCM ? 66_000 : 100;
        for (int i = 0; i < most; i++) {
            assertOpens(opener, seal(sealer, i), i);
        }
        assertEquals(most - 1, sealer.epoch());
    }

    @ParameterizedTest
    @EnumSource
    void theSameFramesNeverGiveTheSameBytes(AeadAlgorithm algorithm) {
        DatagramSealer sealer = sealer(algorithm, SELDOM);
        Set<List<Byte>> texts = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            byte[] datagram = seal(sealer, 5);
            List<Byte> text = new ArrayList<>();
            for (int at = DatagramSeal.HEADER_BYTES; at < datagram.length; at++) {
                text.add(datagram[at]);
            }
            texts.add(text);
        }
        assertEquals(1000, texts.size());
        assertTrue(sealer.epoch() == 0);
    }
}
