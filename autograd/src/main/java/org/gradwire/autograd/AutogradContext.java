package org.gradwire.autograd;

import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.Scope;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.tensor.Gradients;
import org.gradwire.tensor.Node;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;

/**
 * What one worker knows of a distributed autograd context: the tensors it sent and received in it,
 * and the gradients that backward passes left here.
 *
 * <p>A context is opened on one worker by {@link DistAutograd#context} and comes to be on every
 * worker that its calls reach. It belongs to the thread that opened it; functions called from there
 * run in it too. {@link #close()} releases it everywhere.
 *
 * <p><b>Threads.</b> All methods may be called from any thread. Passes of different contexts run
 * side by side, those of one context one after another.
 */
public final class AutogradContext implements AutoCloseable {
    private final long id;
    private final ContextContainer container;

    // All guarded by this.
    private final Map<Long, SendRpcBackward> sends = new TreeMap<>();
    private final Map<Long, RecvRpcBackward> receives = new TreeMap<>();
    private final Set<Integer> knownWorkers = new TreeSet<>();
    private boolean recordingEnded;
    private final Map<Tensor, Tensor> gradients = new LinkedHashMap<>();
    private @Nullable BackwardPass running;
    private final Map<Integer, Long> newestPasses = new HashMap<>(); // by initiator, whose ids grow
    private boolean released;

    AutogradContext(long id, ContextContainer container) {
        this.id = id;
        this.container = container;
    }

    /**
     * {@return the id, unique over all workers; the upper 16 bits are the id of the worker that
     * opened the context}
     */
    public long id() {
        return id;
    }

    /** As {@link #backward(boolean, List)}, without keeping the graph. */
    public void backward(Tensor... roots) {
        backward(false, List.of(roots));
    }

    /**
     * Compute the gradients of the sum of scalars with respect to all leaves they depend on, on all
     * workers, and add them to the gradients of this context there. {@link Tensor#grad()} is
     * neither read nor written.
     *
     * <p>This is PyTorch's FAST mode: every tensor that was sent in this context and requires a
     * gradient must take part in the pass. One whose result is not used makes the pass wait: for
     * the call timeout when it was sent by another worker, until the context is closed when it was
     * sent by this one.
     *
     * @param retainGraph whether what the graph keeps is kept for another pass
     * @param roots at least one; each requires a gradient, has one element and is the result of an
     *     operator
     * @throws IllegalArgumentException when a root is none
     * @throws RpcException when the pass fails, here or elsewhere; {@code Error on Node <id>:} says
     *     where. The context can be used again.
     */
    public void backward(boolean retainGraph, List<Tensor> roots) {
        if (roots == null) {
            throw new TypeMismatchException(
                    "backward(): incompatible function arguments: the list of roots is null");
        }
        try (Scope _ = Profiler.scope("torch::distributed::autograd::backward")) {
            check(roots);
            BackwardPass.run(this, roots, retainGraph);
        }
    }

    /** As {@link #backward(RRef, boolean)}, without keeping the graph. */
    public void backward(RRef<Tensor> root) {
        backward(root, false);
    }

    /**
     * Run a backward pass from a value that another worker may own, on its owner, and wait for it.
     * The counterpart of {@code RRef.backward}.
     *
     * @param root reference to a value that a call within this context has made
     * @throws RuntimeException as {@link #backward(boolean, List)}, also when the owner does not
     *     know this context; or when the value is no tensor
     */
    public void backward(RRef<Tensor> root, boolean retainGraph) {
        root.runSync(AutogradOps::rrefBackward, id, retainGraph);
    }

    private static void check(List<Tensor> roots) {
        if (roots.isEmpty()) {
            throw new RpcException("No tensors provided for gradient computation");
        }
        for (Tensor root : roots) {
            if (!root.requiresGrad()) {
                throw new RpcException("requires_grad not set on root " + root);
            }
            if (root.numel() != 1) {
                throw new RpcException(
                        "%s is not a scalar, all roots need to be scalar".formatted(root));
            }
            if (root.gradFn() == null) {
                throw new RpcException(
                        "%s does not have a valid gradient function".formatted(root));
            }
        }
    }

    /** {@return a copy of the gradients so far, by leaf; tensors equal by identity only} */
    public Map<Tensor, Tensor> gradients() {
        synchronized (this) {
            return Collections.unmodifiableMap(new LinkedHashMap<>(gradients));
        }
    }

    /** {@return the functions that stand for what this worker sent, by ascending message id} */
    public synchronized List<Node> sendFunctions() {
        return List.copyOf(sends.values());
    }

    /** {@return the functions that stand for what this worker received, by ascending message id} */
    public synchronized List<Node> recvFunctions() {
        return List.copyOf(receives.values());
    }

    /** {@return ids of the workers that this one has sent recorded messages to} */
    public synchronized Set<Integer> knownWorkerIds() {
        return Set.copyOf(knownWorkers);
    }

    /**
     * Release the context on this worker and, by messages that are repeated until answered, on all
     * others it has reached. Does not wait for them. Further calls do nothing.
     */
    @Override
    public void close() {
        ContextCleanup.release(this);
    }

    ContextContainer container() {
        return container;
    }

    // ---- what is recorded

    /**
     * Note that a message will go to a worker; {@return false when nothing is recorded any more}
     */
    synchronized boolean addKnownWorker(int worker) {
        if (recordingEnded) {
            return false;
        }
        knownWorkers.add(worker);
        return true;
    }

    /** Record nothing from now on; {@return the workers that have been sent recorded messages} */
    synchronized Set<Integer> endRecording() {
        recordingEnded = true;
        return Set.copyOf(knownWorkers);
    }

    synchronized void addSend(long messageId, SendRpcBackward send) {
        sends.put(messageId, send);
    }

    synchronized void addReceive(long messageId, RecvRpcBackward receive) {
        receives.put(messageId, receive);
    }

    synchronized Map<Long, Node> sendsById() {
        return new TreeMap<>(sends);
    }

    synchronized Map<Long, Node> receivesById() {
        return new TreeMap<>(receives);
    }

    synchronized SendRpcBackward send(long messageId) {
        SendRpcBackward send = sends.get(messageId);
        if (send == null) {
            throw new RpcException(
                    "Could not find send function for autograd message id: " + messageId);
        }
        return send;
    }

    synchronized void accumulate(Tensor variable, Tensor gradient, boolean exclusive) {
        gradients.compute(
                variable,
                (_, before) ->
                        before == null
                                ? Gradients.own(gradient, exclusive)
                                : Gradients.addTo(before, gradient));
    }

    // ---- the running pass

    /** Begin a pass that this worker initiates, on whose thread what arrives for it runs. */
    synchronized BackwardPass begin(
            long passId, boolean retainGraph, List<? extends Node> roots, PassInitiator initiator) {
        requireValid();
        if (running != null) {
            throw new RpcException(
                    "a backward pass of autograd context %d is under way on worker %d; passes of one context run one after another"
                            .formatted(id, container.worker().self().id()));
        }
        List<Node> starts = new ArrayList<>(sends.values());
        starts.addAll(roots);
        return start(passId, retainGraph, starts, initiator);
    }

    /** A pass, and whether this worker takes part in it since this very moment. */
    record Joined(BackwardPass pass, boolean first) {}

    /**
     * Take part in a pass that another worker initiated. A pass that failed elsewhere may have left
     * this worker waiting; a gradient of a newer one ends that.
     */
    Joined join(long passId, boolean retainGraph) {
        BackwardPass stale;
        Joined joined;
        synchronized (this) {
            requireValid();
            if (running != null && running.id() == passId) {
                return new Joined(running, false);
            }
            if (passId
                    <= newestPasses.getOrDefault(
                            ContextContainer.creator(passId), Long.MIN_VALUE)) {
                throw new RpcException(
                        "the backward pass %d of autograd context %d has ended on worker %d"
                                .formatted(passId, id, container.worker().self().id()));
            }
            stale = running;
            BackwardPass pass =
                    start(
                            passId,
                            retainGraph,
                            new ArrayList<>(sends.values()),
                            container.worker().executor());
            joined = new Joined(pass, true);
        }
        if (stale != null) {
            stale.fail(
                    new RpcException(
                            "the backward pass %d of autograd context %d was given up: pass %d has begun"
                                    .formatted(stale.id(), id, passId)));
        }
        return joined;
    }

    private BackwardPass start(
            long passId, boolean retainGraph, List<? extends Node> starts, Executor executor) {
        BackwardPass pass = new BackwardPass(this, passId, retainGraph, starts, executor);
        running = pass;
        newestPasses.merge(ContextContainer.creator(passId), passId, Math::max);
        return pass;
    }

    /** {@return runs what arrives for a pass} */
    synchronized Executor executor(long passId) {
        return running != null && running.id() == passId
                ? running.executor()
                : container.worker().executor();
    }

    /** The pass has ended, either way: another one may begin. */
    synchronized void ended(BackwardPass pass) {
        if (pass.equals(running)) {
            running = null;
        }
    }

    /** {@return the pass under way here, if there is one} */
    synchronized @Nullable BackwardPass running() {
        return running;
    }

    /** {@return whether a worker is to send gradients of this context here} */
    synchronized boolean expectsGradientsFrom(int worker) {
        return sends.values().stream().anyMatch(send -> send.destination() == worker);
    }

    private void requireValid() {
        if (released) {
            throw new RpcException(
                    "Autograd context no longer valid! This usually means the autograd context was cleaned up by a different thread due to an error before RecvRcpBackward had a chance to run");
        }
    }

    synchronized void markReleased() {
        released = true;
    }
}
