package org.gradwire.runtime.tests.functions;

import org.gradwire.optim.Optimizer;
import org.gradwire.optim.OptimizerOptions;
import org.gradwire.optim.ParameterState;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A custom optimizer, which signals its steps, and may fail or block. */
@RemoteCallable
public final class OwnDescent extends Optimizer<OwnDescent.Options> {
    /** Duration of an update, long enough for concurrent ones to overlap. */
    private static final long OVERLAP_NANOS = 10_000;

    /**
     * Options.
     *
     * @param failOn names of workers on which it fails
     * @param waitOn names of workers on which it blocks
     */
    @WireValue
    public record Options(double lr, List<String> failOn, List<String> waitOn)
            implements OptimizerOptions<Options> {
        @Override
        public Options lr(double rate) {
            return new Options(rate, failOn, waitOn);
        }
    }

    /** The events on a worker. */
    public static final class Events {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final AtomicInteger running = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        private Events() {}

        public static Events of(Rpc rpc) {
            return rpc.locals().get(Events.class, Events::new);
        }

        public void awaitEntered() throws InterruptedException {
            if (!entered.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("no step began");
            }
        }

        /** {@return the maximum number of concurrent updates} */
        public int most() {
            return most.get();
        }
    }

    public OwnDescent(List<Tensor> parameters, Options options) {
        super(parameters, options);
    }

    @Override
    protected void update(
            Tensor parameter, Tensor gradient, Options options, ParameterState state) {
        Events events = Events.of(Rpc.current());
        events.most.accumulateAndGet(events.running.incrementAndGet(), Math::max);
        events.entered.countDown();
        try {
            obey(options);
            LockSupport.parkNanos(OVERLAP_NANOS);
            parameter.add_(gradient, -options.lr());
        } finally {
            events.running.decrementAndGet();
        }
    }

    private static void obey(Options options) {
        String here = Rpc.current().self().name();
        if (options.failOn().contains(here)) {
            throw new IllegalStateException("no step here");
        }
        if (options.waitOn().contains(here)) {
            waitForTheEnd();
        }
    }

    private static void waitForTheEnd() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Create an optimizer with two groups: vectors with decay, then the rest without. */
    public static Optimizer<?> vectorsFirst(List<Tensor> parameters, double lr) {
        List<Tensor> vectors = parameters.stream().filter(p -> p.dim() == 1).toList();
        List<Tensor> others = parameters.stream().filter(p -> p.dim() != 1).toList();
        SGD.Options options = SGD.options(lr).momentum(0.9);
        var optimizer = new SGD(vectors, options.weightDecay(0.1));
        optimizer.addGroup(others, options);
        return optimizer;
    }

    /** Create an optimizer with a different rate on each owner. */
    public static Optimizer<?> decaysByOwner(List<Tensor> parameters, double lr) {
        return new SGD(parameters, lr * (1 + Rpc.current().self().id()));
    }

    /** Create an optimizer over other parameters than the given ones. */
    public static Optimizer<?> overOthers(List<Tensor> parameters) {
        return new SGD(List.of(Tensor.ones(parameters.size()).requiresGrad(true)), 1);
    }
}
