package org.gradwire.conformance.cases.autograd;

import org.gradwire.autograd.AnomalyMode;
import org.gradwire.autograd.AutogradFunction;
import org.gradwire.autograd.FunctionContext;
import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.ScriptFunction;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/** Remote functions whose calls distributed autograd records. */
@RemoteCallable
public final class AutogradFunctions {

    private AutogradFunctions() {}

    /** The tensor that a worker shares with all functions that run on it. */
    private static final class GlobalTensor {
        private final Tensor tensor = ones();
    }

    public static Tensor add(Tensor a, Tensor b) {
        return a.add(b);
    }

    public static Tensor ones() {
        return Tensor.ones(3, 3).requiresGrad(true);
    }

    /** {@return a new sparse tensor that requires a gradient, always with the same elements} */
    public static Tensor sparse() {
        return sparse(DType.FLOAT32);
    }

    /** {@return the sparse tensor with elements of a type} */
    public static Tensor sparse(DType dtype) {
        Tensor values = Tensor.of(3.2, 4.1, 5.3).to(dtype);
        Tensor indices = Tensor.of(new long[][] {{0, 1, 1}, {2, 0, 2}});
        return Tensor.sparseCoo(indices, values, 3, 3).requiresGrad(true);
    }

    /** Forward two tensors around the ring of workers; the last one adds them. */
    public static Tensor nested(Tensor a, Tensor b, int destination, int worldSize, int hops) {
        int next = (destination + 1) % worldSize;
        Rpc rpc = Rpc.current();
        return hops > 0
                ? rpc.rpcSync(
                        "worker" + next,
                        Call.to(AutogradFunctions::nested).args(a, b, next, worldSize, hops - 1))
                : rpc.rpcSync("worker" + next, AutogradFunctions::add, a, b);
    }

    /** {@return this worker's shared tensor, which requires a gradient} */
    public static Tensor globalTensor() {
        return globalTensorOf(Rpc.current());
    }

    /** {@return the tensor that {@link #globalTensor} returns on a worker} */
    public static Tensor globalTensorOf(Rpc rpc) {
        return rpc.locals().get(GlobalTensor.class, GlobalTensor::new).tensor;
    }

    public static Tensor addToLocal(RRef<Tensor> a, Tensor b) {
        return a.localValue().add(b);
    }

    public static Tensor addAtOwner(String owner, RRef<Tensor> a, Tensor b) {
        return Rpc.current().rpcSync(owner, AutogradFunctions::addToLocal, a, b);
    }

    /** {@return whether a context on the tensor's owner has this gradient of it} */
    public static boolean ownerHasGradient(long contextId, RRef<Tensor> tensor, Tensor expected) {
        Tensor found = DistAutograd.gradients(Rpc.current(), contextId).get(tensor.localValue());
        return found != null && found.equal(expected);
    }

    /**
     * Train with a parameter of a server, notify the server, and wait until it has checked the
     * gradient.
     */
    public static void train(RRef<Tensor> parameter, Tensor input, String server, int distance) {
        train(Call.to(AutogradFunctions::addToLocal).args(parameter, input), server, distance);
    }

    /** As {@link #train}, with a script function of the server. */
    public static void trainByScript(
            RRef<Tensor> parameter, Tensor input, String server, int distance) {
        train(
                Call.to(AutogradFunctions::scriptAddToValue).args(parameter, input),
                server,
                distance);
    }

    private static void train(Call<Tensor> forward, String server, int distance) {
        Rpc rpc = Rpc.current();
        try (AutogradContext context = DistAutograd.context(rpc)) {
            Tensor output = rpc.rpcSync(server, forward);
            context.backward(output.sum());
            rpc.runSync(server, CaseState::setRpcDone, context.id(), distance);
            rpc.runSync(server, AutogradFunctions::awaitDone, 0);
        }
    }

    public static void awaitDone(int distance) throws InterruptedException {
        CaseState.of(Rpc.current()).awaitRpcDone(distance);
    }

    /** {@return the product of a local value and a sum that another worker computes} */
    public static Tensor productWithNestedSum(Tensor a, Tensor b, String destination) {
        Tensor product = a.mul(b);
        Tensor sum = a.add(b);
        Tensor added = Rpc.current().rpcSync(destination, AutogradFunctions::add, product, sum);
        return a.mul(b).mul(product).mul(sum).mul(added);
    }

    public static Tensor addElsewhere(Tensor a, Tensor b, String destination) {
        return Rpc.current().rpcSync(destination, AutogradFunctions::add, a, b);
    }

    @ScriptFunction
    public static Tensor scriptAdd(Tensor a, Tensor b) {
        return a.add(b);
    }

    @ScriptFunction
    public static Tensor scriptOnes() {
        return ones();
    }

    @ScriptFunction
    public static Tensor scriptAddToValue(RRef<Tensor> a, Tensor b) {
        return a.toHere().add(b);
    }

    /** {@return the chained product of two matrices and three matrices derived from them} */
    public static Tensor linearChain(Tensor a, Tensor b) {
        Tensor c = Ops.linear(a, b, null);
        Tensor d = Ops.linear(b, c, null);
        Tensor e = Ops.linear(c, d, null);
        return Ops.multiDot(List.of(a, b, c, d, e));
    }

    public static int addNumbers(int a, int b) {
        return a + b;
    }

    /** Sum rows of a local weight, scaled by the input; the weight's gradient is sparse. */
    public static Tensor embeddingBag(
            RRef<Tensor> weight, Tensor indices, Tensor offsets, Tensor perSample) {
        return Ops.embeddingBag(weight.localValue(), indices, offsets, "sum", perSample, true);
    }

    /** {@return a new random weight that requires a gradient} */
    public static Tensor randomWeight(long seed) {
        return Tensor.randn(new SplittableRandom(seed), 16, 16).requiresGrad(true);
    }

    /** {@return the gradient of a local tensor in a context} */
    public static Tensor gradientOf(long contextId, RRef<Tensor> tensor) {
        Tensor found = DistAutograd.gradients(Rpc.current(), contextId).get(tensor.localValue());
        return Objects.requireNonNull(found, "no gradient in context " + contextId);
    }

    /** Subtract if the second tensor requires a gradient, else multiply. */
    public static Tensor mixed(Tensor a, Tensor b) {
        return b.requiresGrad() ? a.sub(b) : a.mul(b);
    }

    /** {@return the product of the sines of two tensors, by a custom autograd function} */
    public static Tensor productOfSines(Tensor a, Tensor b) {
        return new ProductOfSines().apply(a, b);
    }

    private static final class ProductOfSines extends AutogradFunction {
        @Override
        protected Tensor[] forward(FunctionContext context, Tensor... inputs) {
            context.saveForBackward(inputs);
            return new Tensor[] {inputs[0].sin().mul(inputs[1].sin())};
        }

        @Override
        protected Tensor[] backward(FunctionContext context, Tensor... gradients) {
            Tensor a = context.saved(0);
            Tensor b = context.saved(1);
            return new Tensor[] {
                gradients[0].mul(a.cos()).mul(b.sin()), gradients[0].mul(a.sin()).mul(b.cos())
            };
        }
    }

    /** {@return the square root of zeros, recorded in anomaly mode: its gradient is NaN} */
    public static Tensor anomalousRoot(Tensor a) {
        try (var _ = AnomalyMode.detect()) {
            return a.mul(0).sqrt().mul(0);
        }
    }
}
