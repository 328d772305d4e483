package org.gradwire.runtime.tests.functions;

import org.gradwire.nn.Module;
import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.Default;
import org.gradwire.rpc.ModuleInterface;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Modules that are used through interfaces, and interfaces that do not match them. */
public final class Encoders {

    private Encoders() {}

    /** The interface of a {@link Scaling}. */
    @ModuleInterface
    @RemoteCallable
    public interface Encoder {
        Tensor encode(Tensor input, @Default("2.0") double factor);

        double total(Tensor input);

        void fail(String text);

        @AsyncExecution
        RpcFuture<Tensor> encodeLater(Tensor input);

        @AsyncExecution
        CompletionStage<Tensor> encodeInStages(Tensor input);

        @AsyncExecution
        RpcFuture<Tensor> never();

        List<Tensor> pieces(Tensor input);

        Map<String, Tensor> named(Tensor input);

        default Tensor twice(Tensor input) {
            return encode(input, 2);
        }
    }

    /** An encoder on another worker. */
    public interface RemoteEncoder extends Encoder {
        RpcFuture<Tensor> encodeAsync(Tensor input, double factor);

        RpcFuture<Double> totalAsync(Tensor input);

        RpcFuture<@Nullable Void> failAsync(String text);

        RpcFuture<List<Tensor>> piecesAsync(Tensor input);
    }

    /** An interface whose method has another result. */
    public interface WrongResult extends Encoder {
        RpcFuture<Tensor> totalAsync(Tensor input);
    }

    /** An interface whose method does not exist in the module. */
    public interface WrongName extends Encoder {
        RpcFuture<Double> sumAsync(Tensor input);
    }

    /** An interface whose method has other parameters. */
    public interface WrongParameters extends Encoder {
        RpcFuture<Double> totalAsync(Tensor input, double factor);
    }

    /** An interface whose method blocks. */
    public interface NoFuture extends Encoder {
        double totalAsync(Tensor input);
    }

    /** An interface whose method would return a future of a future. */
    public interface TwiceAsync extends Encoder {
        RpcFuture<RpcFuture<Tensor>> encodeLaterAsync(Tensor input);
    }

    /** An interface without a mark. */
    @RemoteCallable
    public interface Unmarked {
        Tensor encode(Tensor input, @Default("2.0") double factor);
    }

    /** An interface whose methods are not remote functions. */
    @ModuleInterface
    public interface Uncallable {
        Tensor encode(Tensor input, @Default("2.0") double factor);
    }

    /** Signals the arrival of a call to the test. */
    public static final class Arrival {
        private final CountDownLatch latch = new CountDownLatch(1);

        private Arrival() {}

        /** {@return the signal of a worker} */
        public static Arrival at(Rpc rpc) {
            return rpc.locals().get(Arrival.class, Arrival::new);
        }

        /** Wait for a call; {@return whether one arrived within half a minute} */
        public boolean await() throws InterruptedException {
            return latch.await(30, TimeUnit.SECONDS);
        }
    }

    /** A module that multiplies by its only parameter. */
    @RemoteCallable
    public static final class Scaling extends Module implements Encoder, Unmarked, Uncallable {
        private final Tensor weight;
        private final Tensor calls;

        public Scaling(double weight) {
            if (weight < 0) {
                throw new IllegalArgumentException(
                        "a weight of " + weight + "; it must not be less than 0");
            }
            this.weight = registerParameter("weight", Tensor.full(weight, 1));
            this.calls = registerBuffer("calls", Tensor.zeros(1));
        }

        @Override
        public Tensor encode(Tensor input, @Default("2.0") double factor) {
            calls.add_(Tensor.ones(1).to(calls.device()));
            return input.mul(weight).mul(factor);
        }

        @Override
        public double total(Tensor input) {
            return encode(input, 1).sum().item();
        }

        @Override
        public void fail(String text) {
            throw new IllegalStateException(text);
        }

        @Override
        @AsyncExecution
        public RpcFuture<Tensor> encodeLater(Tensor input) {
            RpcPromise<Tensor> promise = Rpc.current().promise();
            promise.complete(encode(input, 1));
            return promise;
        }

        @Override
        @AsyncExecution
        public CompletionStage<Tensor> encodeInStages(Tensor input) {
            return input.dim() == 0
                    ? CompletableFuture.failedFuture(new IllegalArgumentException("no dimension"))
                    : CompletableFuture.completedFuture(encode(input, 1));
        }

        @Override
        @AsyncExecution
        public RpcFuture<Tensor> never() {
            Arrival.at(Rpc.current()).latch.countDown();
            return Rpc.current().promise();
        }

        @Override
        public List<Tensor> pieces(Tensor input) {
            return List.of(input, encode(input, 1));
        }

        @Override
        public Map<String, Tensor> named(Tensor input) {
            return Map.of("encoded", encode(input, 1));
        }
    }
}
