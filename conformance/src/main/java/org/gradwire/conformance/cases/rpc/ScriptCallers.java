package org.gradwire.conformance.cases.rpc;

import org.gradwire.conformance.functions.Assorted;
import org.gradwire.conformance.functions.ScriptFunctions;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.ScriptFunction;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Map;

/** Script functions that call script functions on other workers. */
public final class ScriptCallers {
    private static final Object[] NONE = {};

    private ScriptCallers() {}

    @ScriptFunction
    public static Tensor async(String to, List<Tensor> args, Map<String, Tensor> kwargs) {
        return Rpc.current().rpcAsync(to, twoTwo(args, kwargs)).join();
    }

    @ScriptFunction
    public static Tensor sync(String to, List<Tensor> args, Map<String, Tensor> kwargs) {
        return Rpc.current().rpcSync(to, twoTwo(args, kwargs));
    }

    @ScriptFunction
    public static Tensor remote(String to, List<Tensor> args, Map<String, Tensor> kwargs) {
        try (RRef<Tensor> result = Rpc.current().remote(to, twoTwo(args, kwargs))) {
            return result.toHere();
        }
    }

    private static Call<Tensor> twoTwo(List<Tensor> args, Map<String, Tensor> kwargs) {
        return Call.to(ScriptFunctions::twoTwo).args(args.toArray()).kwargs(kwargs);
    }

    /** Call with arguments of several types, by position and by name. */
    @ScriptFunction
    public static Assorted assorted(String to) {
        Map<String, Object> kwargs =
                Map.of(
                        "tensor_kwarg",
                        Tensor.of(3L, 3L),
                        "str_kwarg",
                        "_str_kwarg",
                        "int_kwarg",
                        3);
        return Rpc.current()
                .rpcAsync(
                        to,
                        Call.to(ScriptFunctions::assorted)
                                .args(Tensor.of(1L, 1L), "str_arg", 1)
                                .kwargs(kwargs))
                .join();
    }

    /** Call with an empty argument list. */
    @ScriptFunction
    public static int withoutKwargs(String to) {
        return Rpc.current().rpcAsync(to, Call.to(ScriptFunctions::noArg).args(NONE)).join();
    }

    /** Call with the function only. */
    @ScriptFunction
    public static int withoutArgsAndKwargs(String to) {
        return Rpc.current().rpcAsync(to, ScriptFunctions::noArg).join();
    }

    /** Wait for a function that fails. */
    @ScriptFunction
    public static int raising(String to) {
        return Rpc.current().rpcAsync(to, ScriptFunctions::raise).join();
    }
}
