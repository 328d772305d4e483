package org.gradwire.nn.remote;

import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFunction.Action0;
import org.gradwire.rpc.RpcFunction.Action1;
import org.gradwire.rpc.RpcFunction.Action2;
import org.gradwire.rpc.RpcFunction.Action3;
import org.gradwire.rpc.RpcFunction.Action4;
import org.gradwire.rpc.RpcFunction.Action5;
import org.gradwire.rpc.RpcFunction.Action6;
import org.gradwire.rpc.RpcFunction.Function0;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.rpc.RpcFunction.Function3;
import org.gradwire.rpc.RpcFunction.Function4;
import org.gradwire.rpc.RpcFunction.Function5;
import org.gradwire.rpc.RpcFunction.Function6;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** Invokes received functions with up to six arguments. */
final class FunctionInvoker {

    private FunctionInvoker() {}

    /** Call a function, whose casts check the argument types. */
    @SuppressWarnings({"unchecked", "rawtypes", "NullAway"}) // raw ones take any argument
    static @Nullable Object call(RpcFunction<?> function, List<?> args) throws Exception {
        @Nullable Object[] a = args.toArray();
        return switch (function) {
            case Function0 f when a.length == 0 -> f.call();
            case Function1 f when a.length == 1 -> f.call(a[0]);
            case Function2 f when a.length == 2 -> f.call(a[0], a[1]);
            case Function3 f when a.length == 3 -> f.call(a[0], a[1], a[2]);
            case Function4 f when a.length == 4 -> f.call(a[0], a[1], a[2], a[3]);
            case Function5 f when a.length == 5 -> f.call(a[0], a[1], a[2], a[3], a[4]);
            case Function6 f when a.length == 6 -> f.call(a[0], a[1], a[2], a[3], a[4], a[5]);
            default -> run(function, a);
        };
    }

    @SuppressWarnings({"unchecked", "rawtypes", "NullAway"}) // as above
    private static @Nullable Object run(RpcFunction<?> action, @Nullable Object[] a)
            throws Exception {
        switch (action) {
            case Action0 f when a.length == 0 -> f.call();
            case Action1 f when a.length == 1 -> f.call(a[0]);
            case Action2 f when a.length == 2 -> f.call(a[0], a[1]);
            case Action3 f when a.length == 3 -> f.call(a[0], a[1], a[2]);
            case Action4 f when a.length == 4 -> f.call(a[0], a[1], a[2], a[3]);
            case Action5 f when a.length == 5 -> f.call(a[0], a[1], a[2], a[3], a[4]);
            case Action6 f when a.length == 6 -> f.call(a[0], a[1], a[2], a[3], a[4], a[5]);
            default ->
                    throw new IllegalArgumentException(
                            "a function cannot be called with %d arguments here; at most 6"
                                    .formatted(a.length));
        }
        return null;
    }
}
