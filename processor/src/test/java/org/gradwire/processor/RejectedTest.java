package org.gradwire.processor;

import static org.gradwire.processor.Fault.inJobs;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.processor.Compilation.Said;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Each fault, with its message and line. */
class RejectedTest {
    @TempDir Path output;

    static Stream<Fault> faults() {
        return Stream.of(
                        access(),
                        signatures(),
                        references(),
                        calls(),
                        types(),
                        arrays(),
                        defaults(),
                        scopes(),
                        retries(),
                        values(),
                        ModuleFaults.all())
                .flatMap(faults -> faults);
    }

    private static Stream<Fault> access() {
        return Stream.of(
                inJobs(
                        "@RemoteCallable static int f() { return 1; } // !",
                        "Jobs.f is not public, so no worker may call it: make it public, or remove its mark"),
                inJobs(
                        "@ScriptFunction private static int f() { return 1; } // !",
                        "Jobs.f is not public, so no worker may call it: make it public, or remove its mark"),
                new Fault(
                        "public class Counter { @RemoteCallable Counter() {} } // !",
                        "new Counter is not public, so no worker may call it: make it public, or remove its mark"),
                new Fault(
                        "class Jobs { @RemoteCallable public static int f() { return 1; } } // !",
                        "Jobs.f is out of reach of other workers, since Jobs is not public: make that type public, or remove the mark"),
                new Fault(
                        "class Base { @RemoteCallable public int f() { return 1; } public static class Heir extends Base {} } // !",
                        "Base.f is out of reach of other workers, since Base is not public: make that type public, or remove the mark"),
                new Fault(
                        "class Outer { @RemoteCallable public static class Jobs {} } // !",
                        "Outer.Jobs is out of reach of other workers, since Outer is not public: make that type public, or remove the mark"),
                new Fault(
                        "@RemoteCallable class Jobs { public int f(int a, Thread b) { return a; } } // !",
                        "Jobs is out of reach of other workers, since Jobs is not public: make that type public, or remove the mark"));
    }

    private static Stream<Fault> signatures() {
        return Stream.of(
                new Fault(
                        "public class Jobs { @ScriptFunction public int f() { return 1; } } // !",
                        "script function Jobs.f is not static: make it static, or mark it @RemoteCallable instead"),
                inJobs(
                        "@AsyncExecution public static RpcFuture<String> f(RpcFuture<String> a) { return a; } // !",
                        "Jobs.f is marked only @AsyncExecution, which does not make it callable: mark it @RemoteCallable or @ScriptFunction too"),
                inJobs(
                        "@RemoteCallable @AsyncExecution\npublic static List<String> f() { return List.of(); } // !",
                        "Jobs.f is marked @AsyncExecution but returns List<String>: return an RpcFuture of it, or remove the mark"),
                inJobs(
                        "@ScriptFunction @AsyncExecution public static int f() { return 1; } // !",
                        "Jobs.f is marked @AsyncExecution but returns int: return an RpcFuture of it, or remove the mark"),
                new Fault(
                        "@RemoteCallable public class Jobs { @AsyncExecution public void f() {} } // !",
                        "Jobs.f is marked @AsyncExecution but returns void: return an RpcFuture of it, or remove the mark"),
                new Fault(
                        "@RemoteCallable public interface Jobs { RpcFuture<Integer> f(); } // !",
                        "Jobs.f returns RpcFuture<Integer>, and a future cannot be sent: mark it @AsyncExecution, or wait for the future and return its value"),
                inJobs(
                        "@RemoteCallable public static CompletableFuture<Integer> f() { return new CompletableFuture<>(); } // !",
                        "Jobs.f returns CompletableFuture<Integer>, and a future cannot be sent: mark it @AsyncExecution, or wait for the future and return its value"));
    }

    private static Stream<Fault> references() {
        return Stream.of(
                inJobs(
                        "@RemoteCallable public static void f(int a, int b, int c, int d, int e, int f, int g) {} // !",
                        "Jobs.f has 7 parameters, but a method reference to a remote function has at most 6: put some of them into a record marked @WireValue"),
                new Fault(
                        "public abstract class Counter { @RemoteCallable public Counter() {} } // !",
                        "new Counter is a constructor of an abstract class, which cannot be instantiated: mark the constructors of its subclasses instead"),
                new Fault(
                        "public class Outer { public class Counter { @RemoteCallable public Counter() {} } } // !",
                        "new Outer.Counter is a constructor of an inner class, for which no method reference can be sent: make the class static"),
                new Fault(
                        """
                        public class Counter {
                            @RemoteCallable public int add(int a) { return a; }
                            @RemoteCallable public static int add(Counter c, int a) { return a; } // !
                        }
                        """,
                        "Counter.add cannot be distinguished from the instance method of the same name in the method reference Counter::add: rename one of them"));
    }

    private static Stream<Fault> calls() {
        String later =
                "@RemoteCallable @AsyncExecution public static RpcFuture<Integer> later(int a) { throw new IllegalStateException(); }\n";
        String message =
                "Jobs.later is marked @AsyncExecution, so its caller gets the value of its future and not the future: write RpcFunction.async(Jobs::later)";
        return Stream.of(
                inJobs(
                        later
                                + "static Object call(Rpc rpc) {\nreturn rpc.rpcAsync(\"worker1\", Jobs::later, 1); // !\n}",
                        message),
                inJobs(
                        later
                                + "static RpcFuture<Integer> call(Rpc rpc) {\nreturn rpc.withoutTimeout().rpcSync(rpc.self().name(), Jobs::later, 1); // !\n}",
                        message),
                inJobs(
                        later
                                + "static final Call<RpcFuture<Integer>> CALL =\nCall.to(Jobs::later).args(1); // !",
                        message),
                new Fault(
                        """
                        public class Jobs {
                            @RemoteCallable @AsyncExecution
                            public RpcFuture<Integer> later() { throw new IllegalStateException(); }
                            static Runnable call(RRef<Jobs> jobs) {
                                return () -> jobs.rpcAsync(Jobs::later); // !
                            }
                        }
                        """,
                        message));
    }

    private static Stream<Fault> types() {
        String advice =
                ", which cannot be sent: take a type that can, an RRef to the value, or name it in -Agradwire.codecs if a codec for it is installed";
        String unmarked =
                ", which is not marked @WireValue and cannot be sent: mark that type, or name it in -Agradwire.codecs if a codec for it is installed";
        return Stream.of(
                refused("Thread", "parameter b of Jobs.f holds Thread" + advice),
                refused("InputStream", "parameter b of Jobs.f holds InputStream" + advice),
                refused("List<? extends Thread>", "parameter b of Jobs.f holds Thread" + advice),
                refused("Map<String, List<Thread>>", "parameter b of Jobs.f holds Thread" + advice),
                refused(
                        "Optional<ArrayDeque<Integer>>",
                        "parameter b of Jobs.f holds ArrayDeque<Integer>" + advice),
                refused("Unmarked", "parameter b of Jobs.f holds Jobs.Unmarked" + unmarked),
                refused("Set<TimeUnit>", "parameter b of Jobs.f holds TimeUnit" + unmarked),
                refused("Closed", "parameter b of Jobs.f holds Jobs.Closed" + advice),
                refused(
                        "LinkedList<String>",
                        "parameter b of Jobs.f is of type LinkedList<String>, but such a value arrives as ArrayList and would not fit: declare it as List"),
                refused(
                        "SortedMap<String, String>",
                        "parameter b of Jobs.f is of type SortedMap<String, String>, but such a value arrives as LinkedHashMap and would not fit: declare it as Map"),
                refused(
                        "RpcFuture<String>",
                        "parameter b of Jobs.f holds RpcFuture<String>, and a future cannot be sent: take the future's value instead"),
                inJobs(
                        "@RemoteCallable public static <T extends Thread> void f(int a, T b) {} // !",
                        "parameter b of Jobs.f holds Thread" + advice),
                inJobs(
                        "@RemoteCallable public static void f(RpcFuture<String> a) {} // !",
                        "parameter a of Jobs.f holds RpcFuture<String>, and a future cannot be sent: take the future's value instead"),
                new Fault(
                        "@RemoteCallable public class Jobs { public void f(Thread a) {} } // !",
                        "parameter a of Jobs.f holds Thread" + advice),
                new Fault(
                        "public class Jobs { @RemoteCallable public Jobs(int a, Thread b) {} } // !",
                        "parameter b of new Jobs holds Thread" + advice));
    }

    private static Stream<Fault> arrays() {
        String advice = ", and an array of that element type cannot be sent: take a List";
        return Stream.of(
                refused("int[][]", "parameter b of Jobs.f holds int[][]" + advice),
                refused(
                        "LinkedList<String>[]",
                        "parameter b of Jobs.f holds LinkedList<String>[]" + advice),
                refused("Byte[]", "parameter b of Jobs.f holds Byte[]" + advice),
                refused("RRef<?>[]", "parameter b of Jobs.f holds RRef<?>[]" + advice),
                refused(
                        "Unmarked[]",
                        "parameter b of Jobs.f holds Jobs.Unmarked, which is not marked @WireValue and cannot be sent: mark that type, or name it in -Agradwire.codecs if a codec for it is installed"));
    }

    private static Stream<Fault> defaults() {
        String order =
                "parameter b of Jobs.f has no default but comes after a, which has one: move it before that one, or give it a default";
        return Stream.of(
                unreadable("int", "many", "an int"),
                unreadable("int", "null", "an int"),
                unreadable("Long", "1.5", "a long"),
                unreadable("double", "0,5", "a double"),
                unreadable("Float", "", "a float"),
                unreadable("boolean", "yes", "true or false"),
                unreadable("char", "null", "a value"),
                unreadable("Color", "PINK", "one of RED, GREEN"),
                inJobs(
                        "@RemoteCallable public static void f(@Default(\"1\") int a, int b) {} // !",
                        order));
    }

    private static Stream<Fault> scopes() {
        return Stream.of(
                inJobs(
                        "@NonRetaining public static int f() { return 1; } // !",
                        "Jobs.f is marked only @NonRetaining, which does not make it callable: mark it @RemoteCallable or @ScriptFunction too"),
                inJobs(
                        "@RemoteCallable @AsyncExecution @NonRetaining public static RpcFuture<String> f() { return null; } // !",
                        "Jobs.f is marked @NonRetaining and @AsyncExecution, but continues after it returned: remove one of the marks"));
    }

    private static Stream<Fault> retries() {
        return Stream.of(
                inJobs(
                        "@Retry public static int f() { return 1; } // !",
                        "Jobs.f is marked only @Retry, which does not make it callable: mark it @RemoteCallable or @ScriptFunction too"),
                retry("maxRetries = -1", "0 or more"),
                retry("firstDelayMillis = -5", "0 or more"),
                retry("backoff = 0.99", "1 or more, and finite"),
                retry("backoff = NaN", "0.0 / 0", "1 or more, and finite"),
                retry("backoff = Infinity", "1 / 0.0", "1 or more, and finite"),
                retry("attemptTimeoutMillis = 0", "1 or more"));
    }

    private static Fault retry(String value, String expected) {
        return retry(value, value.substring(value.indexOf("= ") + 2), expected);
    }

    private static Fault retry(String value, String source, String expected) {
        return inJobs(
                "@RemoteCallable @Retry(%s= %s) public static int f() { return 1; } // !"
                        .formatted(value.substring(0, value.indexOf("=")), source),
                "@Retry of Jobs.f has %s, which must be %s".formatted(value, expected));
    }

    private static Stream<Fault> values() {
        return Stream.of(
                new Fault(
                        "@WireValue public class Point {} // !",
                        "Point is marked @WireValue but is neither a record nor an enum nor a module: make it one, or install a codec for it and remove the mark"),
                new Fault(
                        "@WireValue record Point(int x) {} // !",
                        "Point is out of reach of other workers, since Point is not public: make that type public, or remove the mark"),
                new Fault(
                        "@WireValue public record Point(int x, TreeSet<String> names) {} // !",
                        "component names of Point is of type TreeSet<String>, but such a value arrives as LinkedHashSet and would not fit: declare it as Set"),
                new Fault(
                        "@WireValue public record Point(List<Socket> sockets) { public static class Socket {} } // !",
                        "component sockets of Point holds Point.Socket, which cannot be sent: take a type that can, an RRef to the value, or name it in -Agradwire.codecs if a codec for it is installed"));
    }

    private static Fault refused(String type, String message) {
        return inJobs(
                """
                public record Unmarked(int a) {}
                public sealed interface Closed { record One() implements Closed {} }
                @RemoteCallable
                public static void f(
                        int a,
                        %s b) {} // !
                """
                        .formatted(type),
                message);
    }

    private static Fault unreadable(String type, String text, String advice) {
        return inJobs(
                """
                @WireValue public enum Color { RED, GREEN }
                @ScriptFunction
                public static void f(@Default("%s") %s a) {} // !
                """
                        .formatted(text, type),
                "the default \"%s\" of parameter a of Jobs.f cannot be read as %s: write %s"
                        .formatted(text, type.equals("Color") ? "Jobs.Color" : type, advice));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void faultIsTheOnlyMessageAndAtItsLine(Fault fault) {
        String name =
                fault.source().replaceFirst("(?s).*?(?:class|interface|record) (\\w+).*", "$1");
        List<Said> said =
                ModuleFaults.withModules(new Compilation(output))
                        .source("jobs/" + name + ".java", fault.text())
                        .run();
        assertEquals(List.of(new Said(name + ".java", fault.line(), fault.message())), said);
    }

    @ParameterizedTest
    @EnumSource(Problem.class)
    void everyProblemHasATest(Problem problem) {
        Pattern pattern =
                Pattern.compile(
                        Stream.of(problem.text().split("%s", -1))
                                .map(Pattern::quote)
                                .collect(Collectors.joining(".*")));
        Stream<String> messages =
                Stream.concat(faults().map(Fault::message), Stream.of(ExportsTest.MESSAGE));
        assertTrue(
                messages.anyMatch(message -> pattern.matcher(message).matches()), problem.text());
    }

    @Test
    void allFaultsOfAFileAreReported() {
        Fault fault =
                inJobs(
                        "@RemoteCallable public static void f(int a, Thread b) {}\n@RemoteCallable static void g() {} // !",
                        "");
        assertEquals(
                2, new Compilation(output).source("jobs/Jobs.java", fault.text()).run().size());
    }
}
