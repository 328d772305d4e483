package org.gradwire.runtime.tests.functions;

import static java.util.Objects.requireNonNull;

import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.rpc.Scoped;
import org.gradwire.tensor.AutogradFunction;
import org.gradwire.tensor.FunctionContext;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Functions that keep nothing, or say so and keep their tensors nevertheless. */
@RemoteCallable
public final class ScopedFunctions {

    private ScopedFunctions() {}

    /** What the functions of a worker have kept. */
    private static final class Kept {
        private final List<Tensor> tensors = new CopyOnWriteArrayList<>();

        private static List<Tensor> tensors() {
            return Rpc.current().local(Kept.class, Kept::new).tensors;
        }
    }

    /** Return the argument. */
    @Scoped
    public static Tensor echo(Tensor x) {
        return x;
    }

    /** Return the doubled argument; keep it and what was made on the way. */
    @Scoped
    public static Tensor doubled(Tensor x) {
        Tensor half = x.add(x);
        Tensor whole = half.add(half).mul(0.5);
        Kept.tensors().addAll(List.of(x, half, whole));
        return whole;
    }

    /** As {@link #doubled}, without saying that nothing is kept. */
    public static Tensor doubledAndKept(Tensor x) {
        return doubled(x);
    }

    /** Double the argument when {@link #finish} is called. */
    @AsyncExecution
    @Scoped
    @SuppressWarnings("gradwire") // the two marks together, which the compiler refuses otherwise
    public static RpcFuture<Tensor> doubledLater(Tensor x) {
        RpcPromise<Tensor> result = Rpc.current().promise();
        Unfinished.actions().add(() -> result.complete(x.add(x)));
        return result;
    }

    /** Wait until {@link #doubledLater} was called, which must be within a minute. */
    public static void awaitUnfinished() throws InterruptedException {
        BlockingQueue<Runnable> actions = Unfinished.actions();
        actions.add(requireNonNull(actions.poll(1, TimeUnit.MINUTES)));
    }

    /** Complete the result of {@link #doubledLater}. */
    public static void finish() {
        Unfinished.actions().remove().run();
    }

    private static final class Unfinished {
        private final BlockingQueue<Runnable> actions = new LinkedBlockingQueue<>();

        private static BlockingQueue<Runnable> actions() {
            return Rpc.current().local(Unfinished.class, Unfinished::new).actions;
        }
    }

    /** Keep the argument and fail. */
    @Scoped
    public static Tensor failing(Tensor x) {
        Kept.tensors().add(x);
        throw new IllegalArgumentException("not today");
    }

    /** A product with weights, activated; the input is kept. */
    @Scoped
    public static Tensor layer(Tensor x, Tensor weight) {
        Kept.tensors().add(x);
        return x.matmul(weight).tanh();
    }

    /** Return the argument; its gradient fails. */
    @Scoped
    public static Tensor withoutGradient(Tensor x) {
        Kept.tensors().add(x);
        return new FailingGradient().apply(x.mul(x));
    }

    private static final class FailingGradient extends AutogradFunction {
        @Override
        protected Tensor[] forward(FunctionContext context, Tensor... inputs) {
            return new Tensor[] {inputs[0].mul(2)};
        }

        @Override
        protected @Nullable Tensor[] backward(FunctionContext context, Tensor... gradients) {
            throw new IllegalStateException("no gradient today");
        }
    }

    /** {@return for each tensor that is kept, its first element, or why it cannot be read} */
    public static List<String> kept() {
        return Kept.tensors().stream().map(ScopedFunctions::read).toList();
    }

    /** Keep nothing any more. */
    public static void forget() {
        Kept.tensors().clear();
    }

    private static String read(Tensor tensor) {
        try {
            return String.valueOf(tensor.detach().reshape(-1).get(0));
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
