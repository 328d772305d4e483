package org.gradwire.runtime.tests.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.runtime.tests.functions.Numbers;
import org.gradwire.runtime.tests.functions.Values;
import org.gradwire.runtime.tests.functions.Values.Color;
import org.gradwire.runtime.tests.functions.Values.Point;
import org.gradwire.runtime.tests.hidden.Hidden;
import org.gradwire.runtime.wire.WireCodec;
import org.gradwire.runtime.wire.WireInput;
import org.gradwire.runtime.wire.WireOutput;
import org.gradwire.spi.Input;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.ValueCodec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

/** Round trips of values, equal in type and content, and refusals of other values. */
class RoundTripTest {
    private final WireCodec codec = WireFixture.codec();

    @Provide
    Arbitrary<@Nullable Object> values() {
        return AnyValue.any();
    }

    @Property(tries = 2000)
    void anyValueArrivesEqual(@ForAll("values") @Nullable Object value) {
        Object result = WireFixture.roundTrip(codec, value);
        assertTrue(
                WireFixture.same(value, result),
                () -> AnyValue.print(value) + " became " + AnyValue.print(result));
    }

    @Test
    void extremesKeepTheirBits() {
        for (Object value :
                List.of(
                        Integer.MIN_VALUE,
                        Integer.MAX_VALUE,
                        Long.MIN_VALUE,
                        Long.MAX_VALUE,
                        Byte.MIN_VALUE,
                        Short.MIN_VALUE,
                        Character.MAX_VALUE,
                        Character.MIN_SURROGATE,
                        0L,
                        -1L,
                        255L,
                        256L,
                        1L << 32)) {
            assertEquals(value, WireFixture.roundTrip(codec, value));
        }
        for (int bits : new int[] {0x7fa00001, 0xffffffff, 0x80000000, 1}) {
            assertEquals(
                    bits, Float.floatToRawIntBits((Float) roundTrip(Float.intBitsToFloat(bits))));
        }
        for (long bits : new long[] {0x7ff4000000000001L, -1, Long.MIN_VALUE, 1}) {
            assertEquals(
                    bits,
                    Double.doubleToRawLongBits((Double) roundTrip(Double.longBitsToDouble(bits))));
        }
    }

    private Object roundTrip(Object value) {
        Object result = WireFixture.roundTrip(codec, value);
        assertNotNull(result);
        return result;
    }

    @Test
    void enumsArriveAsTheConstantsThemselves() {
        for (Color color : Color.values()) {
            assertSame(color, roundTrip(color));
        }
    }

    @Test
    void collectionsArriveAsMutableOnesInTheirOrder() {
        @SuppressWarnings("unchecked")
        var list = (List<Object>) roundTrip(List.of(3, 1, 2));
        list.add(4);
        assertEquals(List.of(3, 1, 2, 4), list);
        assertEquals("[1, 2, 3]", roundTrip(new TreeSet<>(List.of(3, 1, 2))).toString());
        Map<String, Integer> map = new LinkedHashMap<>();
        map.put("z", 1);
        map.put("a", 2);
        assertEquals("{z=1, a=2}", roundTrip(map).toString());
        assertEquals("{GREEN=1}", roundTrip(new EnumMap<>(Map.of(Color.GREEN, 1))).toString());
    }

    @Test
    void identityOfAnArgumentIsNotPreserved() {
        Point point = new Point(1, 2);
        List<?> both = assertInstanceOf(List.class, roundTrip(List.of(point, point)));
        assertEquals(List.of(point, point), both);
    }

    @Test
    void arraysOfNumbersAreNotCopiedIntoThePayload() {
        float[] numbers = new float[1000];
        Message message = WireFixture.encode(codec, numbers);
        assertTrue(message.payload().length < 10);
        assertEquals(1, message.buffers().size());
        assertSame(numbers, message.buffers().getFirst().heapBase().orElseThrow());
    }

    @Test
    void referencesToFunctionsTravelByName() throws Exception {
        Function2<Integer, Integer, Integer> add = Numbers::add;
        @SuppressWarnings("unchecked")
        var arrived = (Function2<Integer, Integer, Integer>) roundTrip(add);
        assertEquals(5, arrived.call(2, 3));
        @SuppressWarnings("unchecked")
        var again = (Function2<Integer, Integer, Integer>) roundTrip(arrived);
        assertEquals(7, again.call(3, 4));
    }

    // ---- values that cannot be sent

    record Refused(Object value, String text) {
        @Override
        public String toString() {
            return value.getClass().getSimpleName();
        }
    }

    static Stream<Refused> refused() {
        String advice =
                " cannot be sent (Java serialization is not used); what can: primitives, strings, enums and records marked @WireValue, arrays, List, Map, Set, Optional, UUID, BigInteger, BigDecimal, Instant, Duration, dates and times of java.time, tensors, RRefs, WorkerInfo, references to remote functions, and types with an installed codec";
        String values = "org.gradwire.runtime.tests.functions.Values$";
        return Stream.of(
                new Refused(
                        new Values.Unmarked(1),
                        "a value of "
                                + values
                                + "Unmarked cannot be sent: it is not marked @WireValue"),
                new Refused(
                        Values.notPublic(),
                        "a value of "
                                + values
                                + "NotPublic cannot be sent: "
                                + values
                                + "NotPublic is not public"),
                new Refused(
                        new Hidden.Value(1),
                        "a value of org.gradwire.runtime.tests.hidden.Hidden$Value cannot be sent: its package is not exported by module org.gradwire.runtime.tests"),
                new Refused(
                        Values.UnmarkedEnum.ONE,
                        "a value of "
                                + values
                                + "UnmarkedEnum cannot be sent: it is not marked @WireValue"),
                new Refused(new Values.NoRecord(), "a value of " + values + "NoRecord" + advice),
                new Refused(new Random(1), "a value of java.util.Random" + advice),
                new Refused(new Object(), "a value of java.lang.Object" + advice),
                new Refused(
                        CompletableFuture.completedFuture(1),
                        "a future (java.util.concurrent.CompletableFuture) cannot be sent; wait for it and send its value"),
                new Refused(new int[2][2], "an array of int[] cannot be sent; send a List"),
                new Refused(
                        new Thread[0], "an array of java.lang.Thread cannot be sent; send a List"),
                new Refused(
                        new Values.Unmarked[0],
                        "a value of "
                                + values
                                + "Unmarked cannot be sent: it is not marked @WireValue"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void otherValuesAreRefusedWithAdvice(Refused refused) {
        for (Object value :
                List.of(
                        refused.value,
                        List.of(refused.value),
                        Map.of("key", refused.value),
                        Optional.of(refused.value),
                        new Object[] {refused.value})) {
            assertEquals(
                    refused.text,
                    assertThrows(
                                    TypeMismatchException.class,
                                    () -> WireFixture.encode(codec, value))
                            .getMessage());
        }
    }

    @Test
    void lambdasAreRefused() {
        Runnable lambda = () -> {};
        String text =
                assertThrows(TypeMismatchException.class, () -> WireFixture.encode(codec, lambda))
                        .getMessage();
        assertTrue(text.contains("$$Lambda") && text.contains("cannot be sent"), text);
        Function1<Integer, Integer> function = x -> x + 1;
        assertEquals(
                "a lambda in org.gradwire.runtime.tests.wire.RoundTripTest cannot be called remotely, only a reference to a method can (code never travels); write Type::method, and no method with variable arguments",
                assertThrows(TypeMismatchException.class, () -> WireFixture.encode(codec, function))
                        .getMessage());
    }

    @Test
    void valuesAreNestedSixtyFourDeepAtMost() {
        Object deepest = "bottom";
        for (int i = 0; i < 63; i++) {
            deepest = List.of(deepest);
        }
        assertEquals(deepest, roundTrip(deepest));
        Object deeper = List.of(deepest);
        assertEquals(
                "the value is nested deeper than 64; is there a cycle in it?",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> WireFixture.encode(codec, deeper))
                        .getMessage());
        List<Object> cycle = new ArrayList<>();
        cycle.add(cycle);
        assertThrows(IllegalArgumentException.class, () -> WireFixture.encode(codec, cycle));
        assertEquals("still works", roundTrip("still works"));
    }

    // ---- codecs

    private static class Animal {
        final String name;

        Animal(String name) {
            this.name = name;
        }
    }

    private static final class Dog extends Animal {
        Dog(String name) {
            super(name);
        }
    }

    private record AnimalCodec<T extends Animal>(
            String tag, Class<T> type, boolean runsOnPoller, Function<String, T> make)
            implements ValueCodec<T> {
        @Override
        public void encode(T value, Output out) {
            out.writeString(value.name);
        }

        @Override
        public T decode(Input in) {
            return make.apply(in.readString());
        }
    }

    private static WireCodec with(ValueCodec<?>... codecs) {
        return new WireCodec(
                new org.gradwire.runtime.wire.Values(
                        List.of(codecs), RoundTripTest.class.getClassLoader()),
                List.of());
    }

    @Test
    void codecOfATypePrecedesThatOfItsSupertype() {
        var animals = new AnimalCodec<>("animal", Animal.class, true, Animal::new);
        var dogs = new AnimalCodec<>("dog", Dog.class, true, Dog::new);
        for (WireCodec each : List.of(with(animals, dogs), with(dogs, animals))) {
            assertInstanceOf(Dog.class, WireFixture.roundTrip(each, new Dog("Rex")));
            assertEquals(
                    Animal.class,
                    Objects.requireNonNull(WireFixture.roundTrip(each, new Animal("Mia")))
                            .getClass());
        }
        assertEquals(
                Animal.class,
                Objects.requireNonNull(WireFixture.roundTrip(with(animals), new Dog("Rex")))
                        .getClass());
    }

    @Test
    void duplicateCodecTagIsRefused() {
        var animals = new AnimalCodec<>("animal", Animal.class, true, Animal::new);
        String type = AnimalCodec.class.getName();
        assertEquals(
                "two codecs have the tag 'animal': " + type + " and " + type,
                assertThrows(RpcConfigurationException.class, () -> with(animals, animals))
                        .getMessage());
    }

    @Test
    void onlyCheapValuesAreDecodedOnAPoller() {
        assertFalse(isHeavy(codec, List.of(1, "two", 3.0)));
        assertFalse(isHeavy(codec, new int[100_000]));
        assertTrue(isHeavy(codec, Map.of(1, 2)));
        assertTrue(isHeavy(codec, Set.of(1)));
        assertTrue(isHeavy(codec, new Point(1, 2)));
        assertTrue(isHeavy(codec, Color.RED));
        assertTrue(isHeavy(codec, new String[] {"a"}));
        assertTrue(isHeavy(codec, "x".repeat(100_000)), "long messages take long");
        WireCodec light = with(new AnimalCodec<>("a", Animal.class, true, Animal::new));
        WireCodec heavy = with(new AnimalCodec<>("a", Animal.class, false, Animal::new));
        assertFalse(isHeavy(light, new Animal("Mia")));
        assertTrue(isHeavy(heavy, new Animal("Mia")));
    }

    private static boolean isHeavy(WireCodec codec, Object value) {
        return WireInput.isHeavy(WireFixture.encode(codec, value));
    }

    // ---- the framing of messages

    @Test
    void abortedMessageReleasesItsBuffersAndUndoesItsEffects() {
        var released = new AtomicInteger();
        var undone = new AtomicInteger();
        WireOutput out = codec.begin(1, false);
        out.writeBuffer(MemorySegment.ofArray(new byte[4]), released::incrementAndGet);
        out.onAbort(undone::incrementAndGet);
        out.abort();
        codec.giveBack(out);
        assertEquals(1, released.get());
        assertEquals(1, undone.get());
    }

    @Test
    void reusedOutputHoldsNothingOfItsLastMessage() throws Exception {
        var kept = new ArrayList<WeakReference<float[]>>();
        for (int i = 0; i < 4; i++) {
            float[] numbers = new float[1000];
            kept.add(new WeakReference<>(numbers));
            WireOutput out = codec.begin(1, false);
            out.writeValue(numbers);
            out.attach(float[].class, numbers);
            var _ = out.toMessage(MessageTypes.UDF_CALL);
            codec.giveBack(out);
        }
        for (var reference : kept) {
            for (int i = 0; reference.get() != null; i++) {
                assertTrue(i < 200, "the output holds an array of a message that was sent");
                System.gc();
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void releasedMessageReleasesEachOfItsBuffersOnce() {
        var released = new AtomicInteger();
        WireOutput out = codec.begin(1, false);
        for (int i = 0; i < 3; i++) {
            out.writeBuffer(MemorySegment.ofArray(new byte[4]), released::incrementAndGet);
        }
        Message message = out.toMessage(MessageTypes.UDF_CALL);
        codec.giveBack(out);
        assertEquals(0, released.get());
        message.release();
        message.release();
        assertEquals(3, released.get());
    }
}
