package org.gradwire.runtime.call;

import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.Scope;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.Script;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.runtime.call.MessageFactory.ScopeOf;
import org.gradwire.runtime.function.Binder;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.function.FunctionTable;
import org.gradwire.runtime.function.FunctionTable.ResolvedReference;
import org.gradwire.runtime.function.RemoteFunction;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.thread.WorkerThreads;
import org.gradwire.spi.CallInterceptor;
import org.gradwire.spi.CallScope;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** Runs functions, and records whether this thread runs a script function. */
public final class ScriptRunner implements Script {
    private static final ScopedValue<Boolean> IN_SCRIPT = ScopedValue.newInstance();

    private final FunctionTable functions;
    private final WorkerThreads threads;
    private final List<CallInterceptor> interceptors;

    public ScriptRunner(
            FunctionTable functions, WorkerThreads threads, List<CallInterceptor> interceptors) {
        this.functions = functions;
        this.threads = threads;
        this.interceptors = interceptors;
    }

    public static boolean inScript() {
        return IN_SCRIPT.isBound() && IN_SCRIPT.get();
    }

    /** Run a function on this thread. */
    static @Nullable Object invoke(RemoteFunction function, @Nullable Object[] args)
            throws Throwable {
        boolean script = function.kind() == FunctionKind.SCRIPT;
        if (script == inScript()) {
            return invoke(function, script, args);
        }
        return ScopedValue.where(IN_SCRIPT, script)
                .<@Nullable Object, Throwable>call(() -> invoke(function, script, args));
    }

    private static @Nullable Object invoke(
            RemoteFunction function, boolean script, @Nullable Object[] args) throws Throwable {
        if (!script || !Profiler.isOn()) {
            return function.invoke(args);
        }
        try (Scope _ = Profiler.scope(function.schema().simpleName())) {
            return function.invoke(args);
        }
    }

    @Override
    public <R extends @Nullable Object> R call(Call<R> call) {
        ResolvedReference target = scriptOf(call);
        return run(target, Binder.bind(target, call));
    }

    @Override
    public <R extends @Nullable Object> RpcFuture<R> fork(Call<R> call) {
        ResolvedReference target = scriptOf(call);
        @Nullable Object[] args = Binder.bind(target, call);
        CallFuture<R> future = threads.newFuture();
        List<ScopeOf> scopes = currentScopes();
        threads.execute(() -> {
            @Nullable Object[] entered = InterceptorScopes.enter(scopes);
            try {
                future.complete(run(target, args));
            } catch (RuntimeException failure) {
                future.fail(failure);
            } finally {
                InterceptorScopes.exit(scopes, entered);
            }
        });
        return future;
    }

    @Override
    public boolean isRunning() {
        return inScript();
    }

    private ResolvedReference scriptOf(Call<?> call) {
        ResolvedReference target = functions.resolve(call.function());
        requireScript(target.function());
        return target;
    }

    /** Reject a user function: scripts may call only script functions and operators. */
    static void requireScript(RemoteFunction function) {
        if (function.kind() == FunctionKind.USER) {
            throw new TypeMismatchException(
                    "a script may call only script functions and operators, but %s is not marked @ScriptFunction"
                            .formatted(function.schema()));
        }
    }

    @SuppressWarnings({
        "unchecked",
        "NullAway",
        "TypeParameterUnusedInFormals"
    }) // javac checked the function's type
    private <R extends @Nullable Object> R run(ResolvedReference target, @Nullable Object[] args) {
        var result = new @Nullable Object[1];
        var failure = new @Nullable RuntimeException[1];
        threads.runHere(() -> {
            try {
                result[0] = invoke(target.function(), args);
            } catch (Throwable thrown) {
                failure[0] = FunctionException.of(thrown);
            }
        });
        if (failure[0] != null) {
            throw failure[0];
        }
        return (R) result[0];
    }

    private List<ScopeOf> currentScopes() {
        List<ScopeOf> scopes = new ArrayList<>(interceptors.size());
        for (CallInterceptor interceptor : interceptors) {
            CallScope scope = interceptor.currentScope();
            if (scope != null) {
                scopes.add(new ScopeOf(interceptor, scope));
            }
        }
        return scopes;
    }
}
