package org.gradwire.nn.remote;

import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFunction.Function0;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.rpc.RpcFunction.Function3;
import org.gradwire.rpc.RpcFunction.Function4;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** Calls functions that came in messages, whatever number of arguments they take. */
final class Functions {

    private Functions() {}

    @SuppressWarnings(
            "unchecked") // the sender's compiler checked the types, and the function checks its
    // arguments again
    static @Nullable Object call(RpcFunction<?> function, List<?> args) throws Exception {
        int count = args.size();
        return switch (function) {
            case Function0<?> f when count == 0 -> f.call();
            case Function1<?, ?> f when count == 1 ->
                    ((Function1<@Nullable Object, ?>) f).call(args.get(0));
            case Function2<?, ?, ?> f when count == 2 ->
                    ((Function2<@Nullable Object, @Nullable Object, ?>) f)
                            .call(args.get(0), args.get(1));
            case Function3<?, ?, ?, ?> f when count == 3 ->
                    ((Function3<@Nullable Object, @Nullable Object, @Nullable Object, ?>) f)
                            .call(args.get(0), args.get(1), args.get(2));
            case Function4<?, ?, ?, ?, ?> f when count == 4 ->
                    ((Function4<
                                            @Nullable Object,
                                            @Nullable Object,
                                            @Nullable Object,
                                            @Nullable Object,
                                            ?>)
                                    f)
                            .call(args.get(0), args.get(1), args.get(2), args.get(3));
            default ->
                    throw new IllegalArgumentException(
                            "a function cannot be called with %d arguments here; at most 4"
                                    .formatted(count));
        };
    }
}
