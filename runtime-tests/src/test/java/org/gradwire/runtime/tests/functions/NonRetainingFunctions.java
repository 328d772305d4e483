package org.gradwire.runtime.tests.functions;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.AutogradFunction;
import org.gradwire.autograd.FunctionContext;
import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.NonRetaining;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Non-retaining functions, some of which wrongly retain tensors. */
@RemoteCallable
public final class NonRetainingFunctions {

    private NonRetainingFunctions() {}

    /** The retained tensors of a worker's functions. */
    private static final class Kept {
        private final List<Tensor> tensors = new CopyOnWriteArrayList<>();

        private static List<Tensor> tensors() {
            return Rpc.current().locals().get(Kept.class, Kept::new).tensors;
        }
    }

    /** Return the argument. */
    @NonRetaining
    public static Tensor echo(Tensor x) {
        return x;
    }

    /** Return the doubled argument; retain it and the temporaries. */
    @NonRetaining
    public static Tensor doubled(Tensor x) {
        Tensor half = x.add(x);
        Tensor whole = half.add(half).mul(0.5);
        Kept.tensors().addAll(List.of(x, half, whole));
        return whole;
    }

    /** {@link #doubled} without the mark. */
    public static Tensor doubledAndKept(Tensor x) {
        return doubled(x);
    }

    /** Double the argument at the call of {@link #finish}. */
    @AsyncExecution
    @NonRetaining
    @SuppressWarnings("gradwire") // the two marks together, which the compiler refuses otherwise
    public static RpcFuture<Tensor> doubledLater(Tensor x) {
        RpcPromise<Tensor> result = Rpc.current().promise();
        Unfinished.actions().add(() -> result.complete(x.add(x)));
        return result;
    }

    /** Wait for a call of {@link #doubledLater}, at most a minute. */
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
            return Rpc.current().locals().get(Unfinished.class, Unfinished::new).actions;
        }
    }

    /** Retain the argument and fail. */
    @NonRetaining
    public static Tensor failing(Tensor x) {
        Kept.tensors().add(x);
        throw new IllegalArgumentException("not today");
    }

    /** Compute a layer: a product with weights, and an activation; retain the input. */
    @NonRetaining
    public static Tensor layer(Tensor x, Tensor weight) {
        Kept.tensors().add(x);
        return x.matmul(weight).tanh();
    }

    /** Return the argument with a failing gradient. */
    @NonRetaining
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

    /** {@return the first element of each retained tensor, or the error of reading it} */
    public static List<String> kept() {
        return Kept.tensors().stream().map(NonRetainingFunctions::read).toList();
    }

    /** Drop all retained tensors. */
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
