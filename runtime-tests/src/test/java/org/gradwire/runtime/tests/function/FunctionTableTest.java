package org.gradwire.runtime.tests.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFunction.Action0;
import org.gradwire.rpc.RpcFunction.Action1;
import org.gradwire.rpc.RpcFunction.Function0;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.rpc.RpcFunction.Function4;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.runtime.function.Defaults;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.function.FunctionTable;
import org.gradwire.runtime.function.FunctionTable.ResolvedReference;
import org.gradwire.runtime.function.RemoteFunction;
import org.gradwire.runtime.tests.functions.Callables;
import org.gradwire.runtime.tests.functions.Callables.Box;
import org.gradwire.runtime.tests.functions.Callables.Heir;
import org.gradwire.runtime.tests.functions.Callables.Initialized;
import org.gradwire.runtime.tests.functions.Callables.Marked;
import org.gradwire.runtime.tests.functions.Callables.Stay;
import org.gradwire.runtime.tests.functions.Values.Color;
import org.gradwire.runtime.tests.hidden.Hidden;
import org.gradwire.spi.DefaultParser;
import org.gradwire.spi.Operator;
import org.gradwire.spi.OperatorProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** Resolution of method references to names, and of names to marked methods. */
class FunctionTableTest {
    private static final String PACKAGE = "org.gradwire.runtime.tests.functions.";

    private final FunctionTable table = table();
    private final FunctionTable peer = table();

    private static FunctionTable table(DefaultParser... parsers) {
        return new FunctionTable(
                Stream.of(new Doubling()),
                new Defaults(Stream.of(parsers)),
                Callables.class.getClassLoader());
    }

    /** {@code test::double} */
    private record Doubling() implements OperatorProvider, Operator {
        @Override
        public Collection<Operator> operators() {
            return List.of(this);
        }

        @Override
        public String name() {
            return "test::double.Int";
        }

        @Override
        public FunctionSchema schema() {
            return new FunctionSchema(
                    "test::double",
                    List.of(new FunctionSchema.Parameter("value", "int", "21")),
                    "int");
        }

        @Override
        public Class<?>[] parameterTypes() {
            return new Class<?>[] {Integer.class};
        }

        @Override
        public @Nullable Object apply(@Nullable Object[] args) {
            return 2 * (Integer) Objects.requireNonNull(args[0]);
        }

        @Override
        public boolean runsOnPoller(@Nullable Object[] args) {
            return true;
        }
    }

    /** Resolve a reference to a name, look the name up in a callee's table, and run the method. */
    private @Nullable Object callByName(RpcFunction<?> reference, @Nullable Object... args)
            throws Throwable {
        ResolvedReference resolved = table.resolve(reference);
        RemoteFunction here = resolved.function();
        RemoteFunction there = peer.lookUp(here.kind(), here.name());
        assertEquals(here.schema(), there.schema());
        assertEquals(here.kind(), there.kind());
        assertEquals(here.name(), new String(here.nameBytes(), StandardCharsets.UTF_8));
        List<@Nullable Object> all = new ArrayList<>(Arrays.asList(args));
        if (resolved.receiver() != null) {
            all.addFirst(resolved.receiver());
        }
        return there.invoke(all.toArray());
    }

    // ---- references of every kind

    @Test
    void staticMethods() throws Throwable {
        assertEquals(1, callByName((Function0<Integer>) Callables::one));
        assertEquals(
                3.0, callByName((Function2<Double, Double, Double>) Callables::scale, 1.5, 2.0));
    }

    @Test
    void overloadedMethodsAreDistinguishedByTheirTypes() throws Throwable {
        Function1<Integer, String> ofInt = Callables::describe;
        Function1<Long, String> ofLong = Callables::describe;
        Function1<List<Object>, String> ofList = Callables::describe;
        Function2<String, Integer, String> ofBoth = Callables::describe;
        assertEquals("int 1", callByName(ofInt, 1));
        assertEquals("long 1", callByName(ofLong, 1L));
        assertEquals("list [1]", callByName(ofList, List.of(1)));
        assertEquals("both a 1", callByName(ofBoth, "a", 1));
    }

    @Test
    void instanceMethodsWithAndWithoutReceiver() throws Throwable {
        Function2<Box, Integer, Integer> unbound = Box::plus;
        assertEquals(5, callByName(unbound, new Box(2), 3));
        for (int i = 1; i < 4; i++) {
            Function1<Integer, Integer> bound = new Box(i)::plus;
            assertEquals(i + 3, callByName(bound, 3));
        }
    }

    @Test
    void constructors() throws Throwable {
        Function1<Integer, Box> constructor = Box::new;
        assertEquals(new Box(4), callByName(constructor, 4));
        Function1<Integer, Stay> other = Stay::new;
        assertEquals(6, assertInstanceOf(Stay.class, callByName(other, 6)).start());
    }

    @Test
    void membersOfAMarkedType() throws Throwable {
        assertEquals(5, callByName((Function1<Marked, Integer>) Marked::visible, new Marked()));
        assertEquals(7, callByName((Function0<Integer>) Marked::shared));
        assertInstanceOf(Marked.class, callByName((Function0<Marked>) Marked::new));
        assertEquals(5, callByName((Function1<Heir, Integer>) Heir::visible, new Heir()));
    }

    @Test
    void operatorsHaveShortNames() throws Throwable {
        RemoteFunction operator = peer.lookUp(FunctionKind.BUILTIN, "test::double.Int");
        assertSame(FunctionKind.BUILTIN, operator.kind());
        assertEquals(6, operator.invoke(new Object[] {3}));
        assertTrue(operator.runsOnPoller(new Object[] {3}));
        assertEquals(
                "there is no operator test::triple here; put the library that provides it on the module path",
                refused(FunctionKind.BUILTIN, "test::triple"));
        assertEquals(
                "operator test::double.Int is provided twice; leave one library of operators on the module path",
                assertThrows(
                                RpcConfigurationException.class,
                                () ->
                                        new FunctionTable(
                                                Stream.of(new Doubling(), new Doubling()),
                                                new Defaults(Stream.of()),
                                                Callables.class.getClassLoader()))
                        .getMessage());
        Object made = Objects.requireNonNull(operator.defaults().getFirst()).make();
        assertEquals(21, made, "the default that its schema gives");
    }

    @Test
    void referenceIsResolvedOncePerCallSite() {
        List<ResolvedReference> resolved = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            resolved.add(table.resolve((Function0<Integer>) Callables::one));
        }
        assertSame(resolved.get(0), resolved.get(1));
    }

    @Test
    void kindsAndAsyncFollowTheMarks() {
        Function1<Integer, Integer> script = Callables::one_arg;
        assertSame(FunctionKind.SCRIPT, table.resolve(script).function().kind());
        Function0<Integer> user = Callables::one;
        assertSame(FunctionKind.USER, table.resolve(user).function().kind());
        assertFalse(table.resolve(user).function().async());
        assertTrue(
                table.resolve(RpcFunction.<Integer, Integer>async(Callables::later))
                        .function()
                        .async());
    }

    @Test
    void asyncFunctionIsCalledForItsValue() {
        Function1<Integer, RpcFuture<Integer>> asFuture = Callables::later;
        var refused =
                assertThrows(
                        TypeMismatchException.class,
                        () -> FunctionTable.requireValue(table.resolve(asFuture)));
        assertEquals(
                "org.gradwire.runtime.tests.functions.Callables.later is marked @AsyncExecution, so its caller gets the value of its future and not the future: write RpcFunction.async(Callables::later)",
                refused.getMessage());
        Function1<Integer, Object> asAnything = Callables::later;
        FunctionTable.requireValue(table.resolve(asAnything));
        Action1<Integer> asAction = Callables::later;
        FunctionTable.requireValue(table.resolve(asAction));
        FunctionTable.requireValue(
                table.resolve(RpcFunction.<Integer, Integer>async(Callables::later)));
        FunctionTable.requireValue(table.resolve(RpcFunction.<Integer, Integer>async(asFuture)));
    }

    @Test
    void functionThatReturnsAStageIsRefusedWithAdviceThatCompiles() {
        Function1<Integer, CompletionStage<Integer>> asStage = Callables::inStages;
        var refused =
                assertThrows(
                        TypeMismatchException.class,
                        () -> FunctionTable.requireValue(table.resolve(asStage)));
        assertEquals(
                "org.gradwire.runtime.tests.functions.Callables.inStages is marked @AsyncExecution, so its caller gets the value of its future and not the future: return Rpc.current().future(stage), an RpcFuture, instead of the CompletionStage, and write RpcFunction.async(Callables::inStages)",
                refused.getMessage());
        Function1<Integer, Object> asAnything = Callables::inStages;
        FunctionTable.requireValue(table.resolve(asAnything));
    }

    @Test
    void functionThatIsNotAsyncIsRefusedAsAsync() {
        Function0<RpcFuture<Integer>> unmarked = Callables::futureWithoutMark;
        var refused =
                assertThrows(
                        TypeMismatchException.class,
                        () -> table.resolve(RpcFunction.<Integer>async(unmarked)));
        assertEquals(
                "RpcFunction.async takes a function marked @AsyncExecution, which futureWithoutMark() -> RpcFuture is not: add the mark, or leave RpcFunction.async out",
                refused.getMessage());
    }

    // ---- schemas

    @Test
    void schemasReadLikeDeclarations() {
        assertSchema("one() -> int", (Function0<Integer>) Callables::one);
        assertSchema(
                "scale(double x, double factor=2.0) -> double",
                (Function2<Double, Double, Double>) Callables::scale);
        assertSchema(
                "twoTwo(int first_arg, int second_arg, int first_kwarg=300, int second_kwarg=4000) -> int",
                (Function4<Integer, Integer, Integer, Integer, Integer>) Callables::twoTwo);
        assertSchema(
                "plus(Box self, int other) -> int", (Function2<Box, Integer, Integer>) Box::plus);
        assertSchema("Box(int value) -> Box", (Function1<Integer, Box>) Box::new);
        assertSchema(
                "count(String[] texts) -> int", (Function1<String[], Integer>) Callables::count);
        FunctionSchema schema =
                table.resolve((Function1<Integer, Box>) Box::new).function().schema();
        assertEquals(PACKAGE + "Callables.Box", schema.name());
    }

    private void assertSchema(String text, RpcFunction<?> function) {
        assertEquals(text, table.resolve(function).function().schema().toString());
    }

    @Test
    void defaultsHaveTheTypesOfTheirParameters() throws Throwable {
        RemoteFunction function =
                peer.lookUp(
                        FunctionKind.USER,
                        PACKAGE
                                + "Callables#defaults(Ljava/lang/String;IJFDZL"
                                + PACKAGE.replace('.', '/')
                                + "Values$Color;Ljava/lang/String;)Ljava/util/List;");
        List<@Nullable Object> made = new ArrayList<>();
        function.defaults().forEach(source -> made.add(Objects.requireNonNull(source).make()));
        assertEquals(
                "[text, -7, 9000000000, 0.5, 1.0E300, true, GREEN, null]",
                String.valueOf(function.invoke(made.toArray())));
    }

    @Test
    void malformedDefaultFailsAtTheFirstUseOfTheFunction() {
        assertBadDefault(
                "count",
                "badNumber(int)",
                "For input string: \"many\"",
                (Function1<Integer, Integer>) Callables::badNumber);
        assertBadDefault(
                "color",
                "badColor(" + PACKAGE + "Values$Color)",
                PACKAGE + "Values$Color has no constant PINK",
                (Function1<Color, Color>) Callables::badColor);
        assertBadDefault(
                "flag",
                "badFlag(boolean)",
                "'yes' is neither true nor false",
                (Function1<Boolean, Boolean>) Callables::badFlag);
        assertBadDefault(
                "list",
                "badType(java.util.List)",
                "'[1]' cannot be read as java.util.List; install a DefaultParser for that type",
                (Function1<List<Object>, Object>) Callables::badType);
        assertBadDefault(
                "count",
                "badNull(int)",
                "For input string: \"null\"",
                (Function1<Integer, Integer>) Callables::badNull);
    }

    private void assertBadDefault(
            String parameter, String method, String why, RpcFunction<?> function) {
        String text =
                assertThrows(IllegalArgumentException.class, () -> table.resolve(function))
                        .getMessage();
        assertTrue(text.startsWith("the default of parameter " + parameter + " of "), text);
        assertTrue(text.contains(method), text);
        assertTrue(text.endsWith(": " + why), text);
    }

    @Test
    @SuppressWarnings("rawtypes") // a parser is of a raw type
    void parsedDefaultIsCreatedForEachCall() {
        DefaultParser lists =
                new DefaultParser() {
                    @Override
                    public Class<List> type() {
                        return List.class;
                    }

                    @Override
                    public Object parse(String text) {
                        return new ArrayList<>(List.of(text));
                    }
                };
        Function1<List<Object>, Object> function = Callables::badType;
        Defaults.Source source = table(lists).resolve(function).function().defaults().getFirst();
        Object first = Objects.requireNonNull(source).make();
        assertEquals(List.of("[1]"), first);
        assertNotSame(first, source.make());
    }

    // ---- what is refused on the caller

    private void assertRefusedByCaller(String text, RpcFunction<?> reference) {
        assertEquals(
                text,
                assertThrows(TypeMismatchException.class, () -> table.resolve(reference))
                        .getMessage());
    }

    @Test
    void unmarkedHiddenAndUnexportedFunctionsAreRefusedByTheCaller() {
        assertRefusedByCaller(
                PACKAGE
                        + "Callables#unmarked()I cannot be called remotely: it is not marked @RemoteCallable or @ScriptFunction",
                (Function0<Integer>) Callables::unmarked);
        assertRefusedByCaller(
                PACKAGE + "Callables#notPublic()I cannot be called remotely: it is not public",
                Callables.notPublicReference());
        assertRefusedByCaller(
                "org.gradwire.runtime.tests.hidden.Hidden#function()I cannot be called remotely: package org.gradwire.runtime.tests.hidden is not exported by module org.gradwire.runtime.tests",
                (Function0<Integer>) Hidden::function);
        assertRefusedByCaller(
                PACKAGE
                        + "Callables$Heir#added()I cannot be called remotely: it is not marked @RemoteCallable or @ScriptFunction",
                (Function1<Heir, Integer>) Heir::added);
        assertRefusedByCaller(
                PACKAGE
                        + "Callables$Box#script()I cannot be called remotely: a @ScriptFunction must be static",
                (Function1<Box, Integer>) Box::script);
        assertRefusedByCaller(
                "java.lang.Object#hashCode()I cannot be called remotely: it is not marked @RemoteCallable or @ScriptFunction",
                (Function1<Object, Integer>) Object::hashCode);
    }

    @Test
    void reflectedMethodsWorkLikeReferences() throws Exception {
        var scale = Callables.class.getMethod("scale", double.class, double.class);
        assertSame(
                table.resolve((Function2<Double, Double, Double>) Callables::scale).function(),
                table.resolve(table.reference(scale)).function());
        assertNull(table.resolve(table.reference(scale)).receiver());
        var e =
                assertThrows(
                        TypeMismatchException.class,
                        () -> table.reference(Callables.class.getMethod("unmarked")));
        assertTrue(
                e.getMessage().contains("it is not marked @RemoteCallable or @ScriptFunction"),
                e.getMessage());
    }

    @Test
    void lambdasAreRefused() {
        String text =
                "a lambda in org.gradwire.runtime.tests.function.FunctionTableTest cannot be called remotely, only a reference to a method can (code never travels); write Type::method, and no method with variable arguments";
        assertRefusedByCaller(text, (Function0<Integer>) () -> 1);
        int captured = Arrays.hashCode(new int[] {1});
        assertRefusedByCaller(text, (Function0<Integer>) () -> captured);
        assertRefusedByCaller(text, (Function1<String, Integer>) Callables::count);
        assertRefusedByCaller(text, (Function0<Object>) super::toString);
    }

    @Test
    void objectThatIsNotAReferenceIsRefused() {
        Action0 action =
                new Action0() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public void call() {}
                };
        String text =
                assertThrows(TypeMismatchException.class, () -> table.resolve(action)).getMessage();
        assertTrue(
                text.endsWith(
                        " is not a method reference; write a remote function as Type::method"),
                text);
    }

    // ---- what is refused on the callee

    private String refused(FunctionKind kind, String name) {
        var failure = assertThrows(RpcException.class, () -> peer.lookUp(kind, name));
        assertSame(RpcErrorKind.REFUSED, failure.kind());
        return failure.getMessage();
    }

    private static String unknown(String name) {
        return "there is no function "
                + name
                + " here that is public, marked @RemoteCallable and, if it is in a module, in an exported package; code is never sent, so its class must be on the path of caller and callee";
    }

    /**
     * The text is the same as for a missing class, so that it reveals no details of the program.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                PACKAGE + "Callables#unmarked()I",
                PACKAGE + "Callables#notPublic()I",
                PACKAGE + "Callables#missing()I",
                PACKAGE + "Callables$NotPublic#run()I",
                PACKAGE + "Callables$Marked#invisible()I",
                PACKAGE + "Callables$Marked#hashCode()I",
                PACKAGE + "Callables$Marked#getClass()Ljava/lang/Class;",
                PACKAGE + "Missing#run()I",
                "org.gradwire.runtime.tests.hidden.Hidden#function()I",
                "java.lang.Runtime#exec(Ljava/lang/String;)Ljava/lang/Process;",
                "java.lang.System#exit(I)V",
                "[Ljava.lang.String;#clone()Ljava/lang/Object;"
            })
    void allRefusedNamesHaveTheTextOfOneThatDoesNotExist(String name) {
        assertEquals(unknown(name), refused(FunctionKind.USER, name));
        assertEquals(
                "attempted to get undefined function %s (%s); a script function must be public, static and marked @ScriptFunction"
                        .formatted(name.replaceAll(".*#|[(].*", ""), name),
                refused(FunctionKind.SCRIPT, name));
    }

    @Provide
    Arbitrary<String> names() {
        Arbitrary<String> parts =
                Arbitraries.of(
                        "",
                        "#",
                        "(",
                        ")",
                        ";",
                        "/",
                        ".",
                        "[",
                        "I",
                        "V",
                        "L",
                        "<init>",
                        "\0",
                        "$",
                        "java.lang.Object",
                        "Ljava/lang/Object;",
                        PACKAGE + "Callables",
                        "one",
                        PACKAGE,
                        "\uD83D\uDE00",
                        "..");
        return Arbitraries.oneOf(
                Arbitraries.strings().all().ofMaxLength(30),
                parts.list().ofMaxSize(8).map(list -> String.join("", list)));
    }

    @Property(tries = 2000)
    void malformedNamesAreRefusedWithoutSideEffects(
            @ForAll("names") String name, @ForAll FunctionKind kind) {
        String text = refused(kind, name);
        assertTrue(!text.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {5_000, 1_000_000})
    void longNamesAreRefused(int length) {
        assertTrue(
                refused(FunctionKind.USER, PACKAGE + "Callables#" + "x".repeat(length) + "()I")
                        .startsWith("there is no function "));
    }

    @Test
    void lookUpInitializesNoClass() throws Throwable {
        assertNull(System.getProperty(Initialized.PROPERTY));
        String type = PACKAGE + "Callables$Initialized";
        assertTrue(
                refused(FunctionKind.USER, type + "#unmarked()I").contains("there is no function"));
        assertTrue(
                refused(FunctionKind.USER, type + "#missing()I").contains("there is no function"));
        RemoteFunction function = peer.lookUp(FunctionKind.USER, type + "#run()I");
        assertEquals("run() -> int", function.schema().toString());
        assertNull(System.getProperty(Initialized.PROPERTY));
        assertEquals(9, function.invoke(new Object[0]));
        assertEquals("true", System.getProperty(Initialized.PROPERTY));
    }
}
