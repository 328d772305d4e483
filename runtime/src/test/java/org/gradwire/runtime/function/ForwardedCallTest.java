package org.gradwire.runtime.function;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.stream.Stream;

/** The recognition of methods that only forward their arguments. */
class ForwardedCallTest {
    private static final String TYPE = ForwardedCallTest.class.getName() + "$Target";

    /** The called methods. */
    static final class Target {
        Target() {}

        static int sum(int a, long b, int c) {
            return (int) (a + b + c);
        }

        static Integer boxed(Integer a) {
            return a;
        }

        int twice(int a) {
            return 2 * a;
        }
    }

    /** Methods that call them. */
    static final class Around {
        private Around() {}

        static int all(int a, long b, int c) {
            return Target.sum(a, b, c);
        }

        static int unboxed(int a) {
            return Target.boxed(a);
        }

        static int onObject(Target target, int a) {
            return target.twice(a);
        }

        static Target made() {
            return new Target();
        }

        static Integer withoutFirst(Object ignored, Integer a) {
            return Target.boxed(a);
        }

        static int swapped(int a, long b, int c) {
            return Target.sum(c, b, a);
        }

        static int withoutLast(int a, int ignored) {
            return Target.boxed(a);
        }

        static int withConstant(int a, long b) {
            return Target.sum(a, b, 1);
        }

        static int more(int a) {
            return Target.boxed(a) + 1;
        }

        static int twoCalls(int a) {
            return Target.boxed(Target.boxed(a));
        }

        static int sometimes(int a) {
            return a > 0 ? Target.boxed(a) : a;
        }

        static int none(int a) {
            return a;
        }
    }

    private static Optional<ForwardedCall> read(String name) {
        Method method =
                Stream.of(Around.class.getDeclaredMethods())
                        .filter(m -> m.getName().equals(name))
                        .findFirst()
                        .orElseThrow();
        String key = RemoteMethods.nameOf(Around.class, method);
        return ForwardedCall.of(Around.class, name, key.substring(key.indexOf('(')));
    }

    private static void assertForwards(
            String name, String target, String descriptor, boolean hasReceiver, boolean takes) {
        var expected = new ForwardedCall(TYPE, target, descriptor, hasReceiver, takes);
        assertEquals(Optional.of(expected), read(name), name);
    }

    @Test
    void readsTheOneCall() {
        assertForwards("all", "sum", "(IJI)I", false, true);
        assertForwards("unboxed", "boxed", "(Ljava/lang/Integer;)Ljava/lang/Integer;", false, true);
        assertForwards("onObject", "twice", "(I)I", true, true);
        assertForwards("made", "<init>", "()V", false, true);
    }

    @Test
    void tellsWhetherTheFirstArgumentIsLeftOut() {
        assertForwards(
                "withoutFirst", "boxed", "(Ljava/lang/Integer;)Ljava/lang/Integer;", false, false);
    }

    @Test
    void readsNothingFromMethodsThatDoMoreOrLess() {
        Stream.of("swapped", "withoutLast", "withConstant", "more", "twoCalls", "sometimes", "none")
                .forEach(name -> assertEquals(Optional.empty(), read(name), name));
    }
}
