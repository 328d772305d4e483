package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.tests.functions.Numbers;
import org.gradwire.runtime.tests.functions.Values.Fragile;
import org.gradwire.runtime.tests.functions.Values.Point;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Values that are small in a message but need much work or memory to decode. */
@Timeout(60)
class ExpensiveValuesTest {
    private static final int FLAGS = 16; // offset of the payload
    private static final int TAG = FLAGS + 1;

    /** {@return different lists with equal hash codes} */
    private static Stream<List<Integer>> colliding(int count) {
        return IntStream.range(0, count).mapToObj(i -> List.of(i, -31 * i));
    }

    /** {@return the encoded bytes of a set, without building the set} */
    private static byte[] asSet(Rpc rpc, List<?> elements) {
        byte[] bytes = rpc.serialization().toBytes(elements);
        byte[] set = rpc.serialization().toBytes(Set.of(1));
        bytes[FLAGS] = set[FLAGS];
        bytes[TAG] = set[TAG];
        return bytes;
    }

    private static void refused(Rpc rpc, byte[] bytes) {
        RpcException e =
                assertThrows(
                        RpcException.class,
                        () -> rpc.serialization().fromBytes(bytes, Object.class));
        assertEquals(RpcErrorKind.UNDECODABLE, e.kind(), e::getMessage);
        assertTrue(e.getMessage().contains("equal hash codes"), e.getMessage());
    }

    @Test
    void keysWithEqualHashCodesAreRefused() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    refused(rpc, asSet(rpc, colliding(100_000).toList()));
                    Map<Object, Integer> map = new HashMap<>();
                    colliding(3_000).forEach(key -> map.put(key, 1));
                    refused(rpc, rpc.serialization().toBytes(map));
                });
    }

    /** A comparison of two sets looks up each element, which compares again. */
    @Test
    void setsWithinSetsAreChargedForTheirElements() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    Set<Integer> inner =
                            IntStream.range(0, 100).boxed().collect(Collectors.toSet());
                    var outer = IntStream.range(0, 3_000).mapToObj(i -> List.of(inner, i)).toList();
                    assertEquals(3_000, ((Set<?>) read(rpc, asSet(rpc, outer))).size());
                    refused(
                            rpc,
                            asSet(rpc, colliding(1_000).map(key -> List.of(inner, key)).toList()));
                });
    }

    private static Object read(Rpc rpc, byte[] bytes) {
        return rpc.serialization().fromBytes(bytes, Object.class);
    }

    @Test
    void typicalSetsAreAccepted() throws Exception {
        List<Collection<?>> usual =
                List.of(
                        IntStream.range(0, 100_000).boxed().toList(),
                        IntStream.range(0, 50_000).mapToObj(i -> "key " + i).toList(),
                        grid().map(cell -> List.of(cell % 100, cell / 100)).toList(),
                        grid().map(cell -> new Point(cell % 100, cell / 100)).toList(),
                        colliding(200).toList(),
                        Stream.of(1, 2L, "3", List.of(4), Set.of(5), new Point(6, 7)).toList());
        InprocGroup.runFirst(
                1,
                rpc -> {
                    for (Collection<?> elements : usual) {
                        Set<?> set = Set.copyOf(elements);
                        assertEquals(set, read(rpc, rpc.serialization().toBytes(set)));
                        Map<Object, Integer> map = new HashMap<>();
                        set.forEach(element -> map.put(element, 1));
                        assertEquals(map, read(rpc, rpc.serialization().toBytes(map)));
                    }
                });
    }

    private static Stream<Integer> grid() {
        return IntStream.range(0, 10_000).boxed();
    }

    @Test
    void callGetsAReplyWhenDecodingThrowsAnError() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    var fragile = new Fragile(1);
                    Fragile.breakNext();
                    RpcException e =
                            assertThrows(
                                    RpcException.class,
                                    () -> rpc.rpcSync("worker1", Numbers::echo, fragile));
                    assertTrue(
                            e.getMessage().contains("out of memory, for a test"), e.getMessage());
                    assertEquals(fragile, rpc.rpcSync("worker1", Numbers::echo, fragile));
                });
    }
}
