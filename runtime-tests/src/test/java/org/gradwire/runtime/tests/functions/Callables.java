package org.gradwire.runtime.tests.functions;

import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.Default;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction.Function0;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.rpc.ScriptFunction;
import org.gradwire.rpc.WireValue;
import org.gradwire.runtime.tests.functions.Values.Color;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Methods of every kind, some of them remote functions. */
public final class Callables {
    private Callables() {}

    @RemoteCallable
    public static int one() {
        return 1;
    }

    @RemoteCallable
    public static String describe(int value) {
        return "int " + value;
    }

    @RemoteCallable
    public static String describe(long value) {
        return "long " + value;
    }

    @RemoteCallable
    public static String describe(List<Object> values) {
        return "list " + values;
    }

    @RemoteCallable
    public static String describe(String text, int value) {
        return "both " + text + " " + value;
    }

    @RemoteCallable
    public static @Nullable Object echo(@Nullable Object value) {
        return value;
    }

    @RemoteCallable
    public static double scale(double x, @Default("2.0") double factor) {
        return x * factor;
    }

    /** The function of the specification's cases, with numbers instead of tensors. */
    @ScriptFunction
    @SuppressWarnings("MemberName") // names from the specification's cases
    public static int twoTwo(
            int first_arg,
            int second_arg,
            @Default("300") int first_kwarg,
            @Default("4000") int second_kwarg) {
        return first_arg + second_arg + first_kwarg + second_kwarg;
    }

    @ScriptFunction
    @SuppressWarnings("MemberName") // names from the specification's cases
    public static int one_arg(int value) {
        return value;
    }

    @RemoteCallable
    @SuppressWarnings("gradwire") // known by its name alone
    public static List<@Nullable Object> defaults(
            @Default("text") String text,
            @Default("-7") int number,
            @Default("9000000000") long large,
            @Default("0.5") float real,
            @Default("1e300") double precise,
            @Default("true") boolean flag,
            @Default("GREEN") Color color,
            @Default("null") @Nullable String nothing) {
        return Arrays.asList(text, number, large, real, precise, flag, color, nothing);
    }

    @RemoteCallable
    @SuppressWarnings("gradwire") // refused when it is called
    public static int badNumber(@Default("many") int count) {
        return count;
    }

    @RemoteCallable
    @SuppressWarnings("gradwire") // refused when it is called
    public static Color badColor(@Default("PINK") Color color) {
        return color;
    }

    @RemoteCallable
    @SuppressWarnings("gradwire") // refused when it is called
    public static boolean badFlag(@Default("yes") boolean flag) {
        return flag;
    }

    @RemoteCallable
    public static List<Object> badType(@Default("[1]") List<Object> list) {
        return list;
    }

    @RemoteCallable
    @SuppressWarnings("gradwire") // refused when it is called
    public static int badNull(@Default("null") int count) {
        return count;
    }

    @RemoteCallable
    public static int count(String... texts) {
        return texts.length;
    }

    @RemoteCallable
    @AsyncExecution
    public static RpcFuture<Integer> later(int value) {
        RpcPromise<Integer> promise = Rpc.current().promise();
        promise.complete(value);
        return promise;
    }

    @RemoteCallable
    @AsyncExecution
    public static CompletionStage<Integer> inStages(int value) {
        return CompletableFuture.completedStage(value);
    }

    @ScriptFunction
    public static RpcFuture<Integer> futureWithoutMark() {
        return Rpc.current().promise();
    }

    public static int unmarked() {
        return 1;
    }

    @RemoteCallable
    @SuppressWarnings("gradwire") // refused when it is called
    static int notPublic() {
        return 1;
    }

    /** {@return a reference to a package-private method} */
    public static Function0<Integer> notPublicReference() {
        return Callables::notPublic;
    }

    /** A receiver that is a wire value. */
    @WireValue
    public record Box(int value) {
        @RemoteCallable
        public Box {}

        @RemoteCallable
        public int plus(int other) {
            return value + other;
        }

        @ScriptFunction
        @SuppressWarnings("gradwire") // refused when it is called
        public int script() {
            return value;
        }
    }

    /** A receiver that cannot be sent. */
    public static final class Stay {
        private final int start;

        @RemoteCallable
        public Stay(int start) {
            this.start = start;
        }

        @RemoteCallable
        public int start() {
            return start;
        }
    }

    /** A marked class, whose public members are remote functions. */
    @RemoteCallable
    public static class Marked {
        public Marked() {}

        public int visible() {
            return 5;
        }

        int invisible() {
            return 6;
        }

        public static int shared() {
            return 7;
        }
    }

    /** An unmarked subclass. */
    public static final class Heir extends Marked {
        public Heir() {}

        public int added() {
            return 8;
        }
    }

    /** A class whose initializer sets a system property. */
    public static final class Initialized {
        public static final String PROPERTY = "initialized.by.a.test";

        static {
            System.setProperty(PROPERTY, "true");
        }

        private Initialized() {}

        @RemoteCallable
        public static int run() {
            return 9;
        }

        public static int unmarked() {
            return 10;
        }
    }

    @SuppressWarnings("gradwire") // refused when it is called
    static final class NotPublic {
        private NotPublic() {}

        @RemoteCallable
        public static int run() {
            return 1;
        }
    }
}
