package org.gradwire.runtime.tests.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.FunctionSchema.Parameter;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.rpc.RpcFunction.Function4;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.runtime.function.Binder;
import org.gradwire.runtime.function.DeclaredTypes;
import org.gradwire.runtime.function.Defaults;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.function.FunctionTable;
import org.gradwire.runtime.function.FunctionTable.ResolvedReference;
import org.gradwire.runtime.function.RemoteFunction;
import org.gradwire.runtime.tests.functions.Callables;
import org.gradwire.runtime.tests.functions.Callables.Box;
import org.gradwire.runtime.tests.functions.Numbers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/** Binding of arguments to parameters, with its error texts. */
class BinderTest {
    private static final String TWO_TWO =
            "twoTwo(int first_arg, int second_arg, int first_kwarg=300, int second_kwarg=4000) -> int";

    private final FunctionTable table =
            new FunctionTable(
                    Stream.of(), new Defaults(Stream.of()), Callables.class.getClassLoader());

    private final Function4<Integer, Integer, Integer, Integer, Integer> twoTwo = Callables::twoTwo;

    private List<@Nullable Object> bind(Call<?> call) {
        return Arrays.asList(Binder.bind(table.resolve(call.function()), call));
    }

    private String refusal(Call<?> call) {
        return String.valueOf(
                assertThrows(IllegalArgumentException.class, () -> bind(call)).getMessage());
    }

    private String definitionRefusal(Call<?> call) {
        return String.valueOf(
                assertThrows(
                                IllegalArgumentException.class,
                                () -> Binder.checkDefinition(table.resolve(call.function()), call))
                        .getMessage());
    }

    // ---- JR-016 to JR-018: defaults and keywords

    @Test
    void defaultsReplaceMissingArguments() {
        assertEquals(List.of(1, 20, 300, 4000), bind(Call.of(twoTwo, 1, 20)));
        assertEquals(List.of(1, 20, 7, 4000), bind(Call.of(twoTwo, 1, 20).kwarg("first_kwarg", 7)));
        assertEquals(
                List.of(1, 20, 7, 8),
                bind(Call.of(twoTwo, 1, 20).kwarg("second_kwarg", 8).kwarg("first_kwarg", 7)));
        assertEquals(List.of(1, 20, 7, 4000), bind(Call.of(twoTwo, 1, 20, 7)));
        assertEquals(
                List.of(1, 2, 3, 4),
                bind(
                        Call.to(twoTwo)
                                .kwargs(
                                        Map.of(
                                                "second_kwarg", 4,
                                                "first_arg", 1,
                                                "first_kwarg", 3,
                                                "second_arg", 2))));
    }

    // ---- JR-022 to JR-024, JR-029

    @Test
    void tooFewArgumentsFailWhenTheCallIsDefined() {
        assertEquals(
                "Argument second_arg not provided. Schema: " + TWO_TWO,
                definitionRefusal(Call.of(twoTwo, 1)));
        Binder.checkDefinition(table.resolve(twoTwo), Call.of(twoTwo, 1).kwarg("second_arg", 2));
        assertEquals(
                "twoTwo() is missing value for argument 'second_arg'. Declaration: " + TWO_TWO,
                refusal(Call.of(twoTwo, 1)));
    }

    @Test
    void tooManyArgumentsFailWhenTheCallIsDefined() {
        assertEquals(
                "Expected at most 4 arguments but found 5 positional arguments. Schema: " + TWO_TWO,
                definitionRefusal(Call.of(twoTwo, 1, 2, 3, 4, 5)));
    }

    @Test
    void unknownKeywordFailsWhenTheCallIsMade() {
        Call<Integer> call = Call.of(twoTwo, 1, 2).kwarg("third_kwarg", 3);
        Binder.checkDefinition(table.resolve(twoTwo), call);
        assertEquals(
                "Unknown keyword argument 'third_kwarg' for operator 'org.gradwire.runtime.tests.functions.Callables.twoTwo'. Schema: "
                        + TWO_TWO,
                refusal(call));
    }

    @Test
    void tooManyArgumentsFailWhenTheCallIsMade() {
        Function1<Integer, Integer> oneArg = Callables::one_arg;
        assertEquals(
                "one_arg() expected at most 1 argument(s) but received 2 argument(s). Declaration: one_arg(int value) -> int",
                refusal(Call.of(oneArg, 10, 20)));
    }

    @Test
    void duplicateValueIsRefused() {
        assertEquals(
                "twoTwo() got multiple values for argument 'first_arg'. Declaration: " + TWO_TWO,
                refusal(Call.of(twoTwo, 1, 2).kwarg("first_arg", 3)));
    }

    @Test
    void boundReceiverIsTheFirstArgument() {
        Function1<Integer, Integer> plus = new Box(5)::plus;
        assertEquals(List.of(new Box(5), 3), bind(Call.of(plus, 3)));
        assertEquals(List.of(new Box(5), 4), bind(Call.of(plus).kwarg("other", 4)));
        assertEquals(
                "plus() expected at most 2 argument(s) but received 3 argument(s). Declaration: plus(Box self, int other) -> int",
                refusal(Call.of(plus, 3, 4)));
        assertEquals(
                "Argument other not provided. Schema: plus(Box self, int other) -> int",
                definitionRefusal(Call.of(plus)));
    }

    // ---- types

    private final Function2<Double, Double, Double> scale = Callables::scale;

    @Test
    void numbersAreWidenedAsInJava() {
        for (Object number : List.of((byte) 3, (short) 3, 3, 3L, 3f, 3.0)) {
            assertEquals(List.of(3.0, 2.0), bind(Call.of(scale, number)));
        }
        Function1<Long, String> ofLong = Callables::describe;
        for (Object number : List.of((byte) 3, (short) 3, 3, 3L)) {
            assertEquals(List.of(3L), bind(Call.of(ofLong, number)));
        }
        Function1<Integer, String> ofInt = Callables::describe;
        for (Object number : List.of((byte) 3, (short) 3, 3)) {
            assertEquals(List.of(3), bind(Call.of(ofInt, number)));
        }
        Function2<Short, Float, Float> small = Numbers::small;
        for (Object number : List.of((byte) 3, (short) 3)) {
            assertEquals(List.of((short) 3, 3f), bind(Call.of(small, number, number)));
        }
        assertEquals(List.of((short) 3, 3f), bind(Call.of(small, (byte) 3, 3L)));
    }

    @Test
    void lossyConversionIsRefused() {
        Function1<Integer, String> ofInt = Callables::describe;
        assertEquals(
                "describe() Expected a value of type 'int' for argument 'value' but instead found type 'Long'. Declaration: describe(int value) -> String",
                assertThrows(TypeMismatchException.class, () -> bind(Call.of(ofInt, 3L)))
                        .getMessage());
        Function1<Long, String> ofLong = Callables::describe;
        assertThrows(TypeMismatchException.class, () -> bind(Call.of(ofLong, 3.0)));
        assertThrows(TypeMismatchException.class, () -> bind(Call.of(ofLong, "3")));
        Function2<Short, Float, Float> small = Numbers::small;
        assertThrows(TypeMismatchException.class, () -> bind(Call.of(small, 3, 3)));
        assertThrows(TypeMismatchException.class, () -> bind(Call.of(small, (byte) 3, 3.0)));
    }

    @Test
    void nullIsNotANumber() {
        assertEquals(
                "scale() Expected a value of type 'double' for argument 'factor' but instead found type 'null'. Declaration: scale(double x, double factor=2.0) -> double",
                assertThrows(
                                TypeMismatchException.class,
                                () -> bind(Call.of(scale, 1.0).kwarg("factor", null)))
                        .getMessage());
        Function1<@Nullable Object, @Nullable Object> echo = Callables::echo;
        assertEquals(Collections.singletonList(null), bind(Call.of(echo, (Object) null)));
    }

    @Test
    void argumentsFromAPeerAreChecked() {
        RemoteFunction function = table.resolve(scale).function();
        @Nullable Object[] widened = {1, 2f};
        Binder.checkReceived(function, widened);
        assertEquals(List.of(1.0, 2.0), Arrays.asList(widened));
        assertEquals(
                "scale(double x, double factor=2.0) -> double takes 2 arguments here, but 1 were sent",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> Binder.checkReceived(function, new Object[] {1.0}))
                        .getMessage());
        assertThrows(
                TypeMismatchException.class,
                () -> Binder.checkReceived(function, new Object[] {1.0, "two"}));
        assertThrows(
                TypeMismatchException.class,
                () -> Binder.checkReceived(function, new @Nullable Object[] {1.0, null}));
    }

    // ---- for any function and any call

    private static RemoteFunction function(int required, int optional) {
        List<Parameter> parameters = new ArrayList<>();
        List<Class<?>> types = new ArrayList<>();
        List<Defaults.@Nullable Source> defaults = new ArrayList<>();
        for (int i = 0; i < required + optional; i++) {
            int standard = -1 - i;
            parameters.add(
                    new Parameter("p" + i, "int", i < required ? null : String.valueOf(standard)));
            types.add(Integer.class);
            defaults.add(i < required ? null : () -> standard);
        }
        return new RemoteFunction(
                FunctionKind.USER,
                "f",
                new byte[] {'f'},
                new FunctionSchema("f", parameters, "int"),
                true,
                types,
                new DeclaredTypes(List.copyOf(types), int.class),
                defaults,
                false,
                false,
                null,
                null,
                null);
    }

    private static final RpcFunction<Integer> ANY =
            (Function2<Integer, Integer, Integer>) Numbers::add;

    @Property
    void everySplitOfAValidCallHasTheSameArguments(
            @ForAll @IntRange(max = 4) int required,
            @ForAll @IntRange(max = 4) int optional,
            @ForAll long seed) {
        RemoteFunction function = function(required, optional);
        int count = required + optional;
        var random = new Random(seed);
        int positional = random.nextInt(count + 1);
        List<@Nullable Object> args = new ArrayList<>();
        List<Integer> named = new ArrayList<>();
        List<@Nullable Object> expected = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (i < positional) {
                args.add(i * 10);
                expected.add(i * 10);
            } else if (i < required || random.nextBoolean()) {
                named.add(i);
                expected.add(i * 10);
            } else {
                expected.add(-1 - i);
            }
        }
        Collections.shuffle(named, random);
        Call<Integer> call = Call.of(ANY, args.toArray());
        for (int i : named) {
            call = call.kwarg("p" + i, i * 10);
        }
        var target = new ResolvedReference(function, null);
        Binder.checkDefinition(target, call);
        @Nullable Object[] bound = Binder.bind(target, call);
        assertEquals(expected, Arrays.asList(bound));
        Binder.checkReceived(function, bound);
        assertEquals(expected, Arrays.asList(bound));
    }

    @Property
    void anyInvalidCallIsRefused(
            @ForAll @IntRange(max = 4) int required,
            @ForAll @IntRange(max = 4) int optional,
            @ForAll @IntRange(max = 4) int mistake,
            @ForAll long seed) {
        RemoteFunction function = function(required, optional);
        int count = required + optional;
        var random = new Random(seed);
        Object[] all = new Object[count];
        Arrays.fill(all, 1);
        Call<Integer> call =
                switch (mistake) {
                    case 0 -> Call.of(ANY, append(all, 1));
                    case 1 -> Call.of(ANY, all).kwarg("other", 1);
                    case 2 ->
                            count == 0
                                    ? Call.of(ANY, 1)
                                    : Call.of(ANY, all).kwarg("p" + random.nextInt(count), 1);
                    case 3 ->
                            required == 0
                                    ? Call.of(ANY, all).kwarg("", 1)
                                    : Call.of(ANY, Arrays.copyOf(all, random.nextInt(required)));
                    default ->
                            count == 0
                                    ? Call.of(ANY, "one")
                                    : Call.of(ANY, with(all, random.nextInt(count), "one"));
                };
        var target = new ResolvedReference(function, null);
        String text =
                assertThrows(IllegalArgumentException.class, () -> Binder.bind(target, call))
                        .getMessage();
        assertTrue(text.endsWith(function.schema().toString()), text);
    }

    private static Object[] append(Object[] all, Object last) {
        Object[] more = Arrays.copyOf(all, all.length + 1);
        more[all.length] = last;
        return more;
    }

    private static Object[] with(Object[] all, int index, Object value) {
        Object[] changed = all.clone();
        changed[index] = value;
        return changed;
    }
}
