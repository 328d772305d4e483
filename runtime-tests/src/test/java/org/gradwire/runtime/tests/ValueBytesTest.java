package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.RpcScope;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.rpc.UdfCodec;
import org.gradwire.runtime.tests.functions.Numbers;
import org.gradwire.runtime.tests.functions.Values.Point;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.FutureTask;

/** Values as bytes: round trips, malformed bytes, references in them. */
@Timeout(60)
class ValueBytesTest {
    private static final List<Object> VALUES =
            List.of(
                    1,
                    "text",
                    List.of(1L, 2.0, Map.of("key", new Point(1, 2))),
                    Tensor.of(1f, 2f),
                    Tensor.zeros(300, 300).narrow(1, 3, 5));

    @Test
    void loadedValuesEqualSavedOnes() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    for (Object value : VALUES) {
                        Object read =
                                rpc.serialization()
                                        .fromBytes(
                                                rpc.serialization().toBytes(value), Object.class);
                        assertTrue(
                                value instanceof Tensor t
                                        ? t.equal((Tensor) read)
                                        : value.equals(read),
                                () -> value + " became " + read);
                    }
                    double[] numbers = {1, 2};
                    assertArrayEquals(
                            numbers,
                            rpc.serialization()
                                    .fromBytes(
                                            rpc.serialization().toBytes(numbers), double[].class));
                });
    }

    @Test
    void headerIsAsDocumented() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc ->
                        assertArrayEquals(
                                new byte[] {
                                    'G', 'W', 'V', 'L', 1, 0, 0, 0, // version
                                    3, 0, 0, 0, 1, 0, 0, 0, // payload, buffers
                                    3, 8, 0, 0, 0, 0, 0, 0, 0, // ints
                                    0, 17, 2, // flags, array, numbers
                                    7, 0, 0, 0, 8, 0, 0, 0
                                },
                                rpc.serialization().toBytes(new int[] {7, 8})));
    }

    private static void undecodable(Rpc rpc, byte[] bytes, String text) {
        RpcException e =
                assertThrows(
                        RpcException.class,
                        () -> rpc.serialization().fromBytes(bytes, Object.class));
        assertEquals(RpcErrorKind.UNDECODABLE, e.kind(), e::getMessage);
        assertTrue(e.getMessage().contains(text), e.getMessage());
    }

    @Test
    void truncatedOrTooLongBytesAreRefused() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    for (Object value : VALUES.subList(0, 4)) {
                        byte[] bytes = rpc.serialization().toBytes(value);
                        for (int length = 0; length < bytes.length; length++) {
                            undecodable(rpc, Arrays.copyOf(bytes, length), "bytes");
                        }
                        undecodable(rpc, Arrays.copyOf(bytes, bytes.length + 1), "truncated");
                    }
                    byte[] other = rpc.serialization().toBytes(1);
                    other[4] = 2;
                    undecodable(rpc, other, "the bytes are of version 2, but this is version 1");
                    undecodable(
                            rpc,
                            "{\"json\": [1, 2, 3]}".getBytes(StandardCharsets.UTF_8),
                            "do not begin with GWVL");
                });
    }

    @Test
    void mutatedBytesAreAnErrorOrAnotherValue() throws Exception {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        InprocGroup.runFirst(
                1,
                rpc -> {
                    for (int i = 0; i < 5_000; i++) {
                        byte[] bytes = rpc.serialization().toBytes(VALUES.get(random.nextInt(4)));
                        for (int n = random.nextInt(1, 4); n > 0; n--) {
                            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                        }
                        try {
                            rpc.serialization().fromBytes(bytes, Object.class);
                        } catch (RpcException e) {
                            assertEquals(
                                    RpcErrorKind.UNDECODABLE,
                                    e.kind(),
                                    () -> "seed " + seed + ": " + e);
                        } catch (TypeMismatchException e) {
                            assertEquals(
                                    "the bytes hold null, not a java.lang.Object", e.getMessage());
                        }
                    }
                });
    }

    @Test
    void otherTypeIsRefused() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc ->
                        assertEquals(
                                "the bytes hold a java.lang.Integer, not a java.lang.String",
                                assertThrows(
                                                TypeMismatchException.class,
                                                () ->
                                                        rpc.serialization()
                                                                .fromBytes(
                                                                        rpc.serialization()
                                                                                .toBytes(1),
                                                                        String.class))
                                        .getMessage()));
    }

    @Test
    void scopeIsConfinedToItsThread() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    RpcScope scope = rpc.serialization().allowReferences();
                    var elsewhere =
                            new FutureTask<>(() -> {
                                assertThrows(IllegalStateException.class, scope::close);
                                return assertThrows(
                                        RpcException.class,
                                        () -> rpc.serialization().toBytes(rpc.rref("value")));
                            });
                    Thread.ofVirtual().start(elsewhere);
                    assertTrue(
                            elsewhere
                                    .get()
                                    .getMessage()
                                    .startsWith(
                                            "RRef serialization is only allowed inside RPC calls."));
                    scope.close();
                });
    }

    @Test
    void bytesNeverLoadedAreReportedAsALeak() throws Exception {
        InprocGroup.runFirst(
                2,
                Map.of("gradwire.fail-on-rref-leak", "true"),
                rpc -> {
                    try (RpcScope _ = rpc.serialization().allowReferences()) {
                        rpc.serialization().toBytes(rpc.rref("text"));
                    }
                    assertEquals("1", rpc.debugInfo().get("num_forks"));
                    String text =
                            String.valueOf(
                                    assertThrows(RpcException.class, rpc::shutdown).getMessage());
                    assertTrue(text.contains("(a String in bytes that were never loaded)"), text);
                });
    }

    @Test
    void failedSaveLeavesNoReference() throws Exception {
        InprocGroup.runFirst(
                2,
                Map.of("gradwire.fail-on-rref-leak", "true"),
                rpc -> {
                    RRef<Integer> theirs = rpc.remote("worker1", Numbers::square, 3);
                    try (RpcScope _ = rpc.serialization().allowReferences()) {
                        List<Object> value = List.of(rpc.rref("mine"), theirs, new Object());
                        assertThrows(
                                TypeMismatchException.class,
                                () -> rpc.serialization().toBytes(value));
                    }
                    assertEquals("0", rpc.debugInfo().get("num_forks"));
                    assertEquals(9, theirs.toHere());
                });
    }

    @Test
    void codecsOfTheProgramNeedUniqueNames() {
        record Named(String name) implements UdfCodec {
            @Override
            public byte[] encode(Object value) {
                return new byte[0];
            }

            @Override
            public Object decode(byte[] bytes, Type type) {
                return 0;
            }
        }
        for (List<String> names : List.of(List.of("a", "a"), List.of(""))) {
            RpcOptions.Builder options = RpcOptions.builder("w").rank(0).worldSize(1);
            options.backend("inproc").rendezvous("inproc://codecs");
            names.forEach(name -> options.udfCodec(new Named(name)));
            String text =
                    assertThrows(
                                    RpcConfigurationException.class,
                                    () -> Rpc.init(options.build()).close())
                            .getMessage();
            assertTrue(text.contains("needs a name that no other has"), text);
        }
    }
}
