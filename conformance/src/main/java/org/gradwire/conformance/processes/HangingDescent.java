package org.gradwire.conformance.processes;

import org.gradwire.optim.Optimizer;
import org.gradwire.optim.OptimizerOptions;
import org.gradwire.optim.ParameterState;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.concurrent.CountDownLatch;

/** An optimizer whose steps block on one worker, until its process is killed. */
@RemoteCallable
public final class HangingDescent extends Optimizer<HangingDescent.Options> {

    /**
     * Options.
     *
     * @param lr learning rate
     * @param hangsOn name of the worker whose steps hang
     */
    @WireValue
    public record Options(double lr, String hangsOn) implements OptimizerOptions<Options> {
        @Override
        public Options lr(double rate) {
            return new Options(rate, hangsOn);
        }
    }

    /** Signals that a step has begun on a worker. */
    public static final class Begun {
        private final CountDownLatch latch = new CountDownLatch(1);

        private Begun() {}

        /** {@return the signal of a worker} */
        public static Begun of(Rpc rpc) {
            return rpc.locals().get(Begun.class, Begun::new);
        }

        /** Wait until a step has begun. */
        public void await() throws InterruptedException {
            latch.await();
        }
    }

    public HangingDescent(List<Tensor> parameters, Options options) {
        super(parameters, options);
    }

    @Override
    protected void update(
            Tensor parameter, Tensor gradient, Options options, ParameterState state) {
        Begun.of(Rpc.current()).latch.countDown();
        if (options.hangsOn().equals(Rpc.current().self().name())) {
            hang();
        }
        parameter.add_(gradient, -options.lr());
    }

    private static void hang() {
        try {
            ProcessFunctions.hang();
        } catch (InterruptedException e) {
            throw new IllegalStateException("the step that should hang was interrupted", e);
        }
    }

    /** Create a parameter. */
    public static Tensor parameter() {
        return Tensor.zeros(1).requiresGrad(true);
    }

    /** Compute a loss whose gradient is 1. */
    public static Tensor loss(RRef<Tensor> parameter) {
        return parameter.localValue().sum();
    }

    /** {@return the value of a scalar parameter} */
    public static double value(RRef<Tensor> parameter) {
        return parameter.localValue().item();
    }
}
