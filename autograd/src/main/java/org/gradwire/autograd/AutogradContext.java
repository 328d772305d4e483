package org.gradwire.autograd;

import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.Scope;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.tensor.Gradients;
import org.gradwire.tensor.Node;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

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
    private final ContextKey key;
    private final int introducer;
    private final ContextContainer container;
    private final ContextPasses passes;

    // All guarded by this.
    private final Map<Long, SendRpcBackward> sends = new TreeMap<>();
    private final Map<Long, RecvRpcBackward> receives = new TreeMap<>();
    private final Set<Integer> knownWorkers = new TreeSet<>();
    private final Set<Integer> sources = new TreeSet<>(); // of recorded messages
    private boolean recordingEnded;
    private final Map<Tensor, Tensor> gradients = new LinkedHashMap<>();
    private final List<Runnable> memory = new ArrayList<>(); // gives back what calls left
    private boolean leavesMemory;

    /**
     * Create a context.
     *
     * @param introducer the worker whose message makes it; this one where it is opened
     */
    AutogradContext(ContextKey key, int introducer, ContextContainer container) {
        this.key = key;
        this.introducer = introducer;
        this.container = container;
        this.passes = new ContextPasses(this);
    }

    /**
     * {@return the id, unique over all workers; the upper 16 bits are the id of the worker that
     * opened the context}
     */
    public long id() {
        return key.id();
    }

    /** {@return its name in messages} */
    ContextKey key() {
        return key;
    }

    int introducer() {
        return introducer;
    }

    /** As {@link #backward(boolean, List)}, without keeping the graph. */
    public void backward(Tensor... roots) {
        backward(false, List.of(roots));
    }

    /** As {@link #backward(BackwardMode, boolean, List)}, in {@link BackwardMode#FAST}. */
    public void backward(boolean retainGraph, List<Tensor> roots) {
        backward(BackwardMode.FAST, retainGraph, roots);
    }

    /** As {@link #backward(BackwardMode, boolean, List)}, without keeping the graph. */
    public void backward(BackwardMode mode, Tensor... roots) {
        backward(mode, false, List.of(roots));
    }

    /**
     * Compute the gradients of the sum of scalars with respect to all leaves they depend on, on all
     * workers, and add them to the gradients of this context there. {@link Tensor#grad()} is
     * neither read nor written.
     *
     * @param mode which of the tensors that were sent in this context take part
     * @param retainGraph whether what the graph keeps is kept for another pass
     * @param roots at least one; each requires a gradient, has one element and is the result of an
     *     operator
     * @throws IllegalArgumentException when a root is none
     * @throws RpcException when the pass fails, here or elsewhere; {@code Error on Node <id>:} says
     *     where. The context can be used again.
     */
    public void backward(BackwardMode mode, boolean retainGraph, List<Tensor> roots) {
        if (roots == null) {
            throw new TypeMismatchException(
                    "backward(): incompatible function arguments: the list of roots is null");
        }
        try (Scope _ = Profiler.scope("torch::distributed::autograd::backward")) {
            check(roots);
            BackwardPass.run(this, mode, roots, retainGraph);
        }
    }

    /** As {@link #backward(RRef, boolean)}, without keeping the graph. */
    public void backward(RRef<Tensor> root) {
        backward(root, false);
    }

    /** As {@link #backward(BackwardMode, RRef, boolean)}, in {@link BackwardMode#FAST}. */
    public void backward(RRef<Tensor> root, boolean retainGraph) {
        backward(BackwardMode.FAST, root, retainGraph);
    }

    /**
     * Run a backward pass from a value that another worker may own, on its owner, and wait for it.
     * The counterpart of {@code RRef.backward}.
     *
     * @param root reference to a value that a call within this context has made
     * @throws RuntimeException as {@link #backward(BackwardMode, boolean, List)}, also when this
     *     context was closed; or when the value is no tensor
     */
    public void backward(BackwardMode mode, RRef<Tensor> root, boolean retainGraph) {
        run(() -> {
            switch (mode) {
                case FAST -> root.runSync(AutogradOps::rrefBackward, id(), retainGraph);
                case SMART -> root.runSync(AutogradOps::smartRrefBackward, id(), retainGraph);
            }
        });
    }

    /**
     * Run an action with the calling thread in this context, and then put the thread back where it
     * was. The action's calls are recorded in this context, and the functions that they call may
     * look it up by its id. What the action throws is thrown on.
     *
     * @throws RpcException when this context was closed
     */
    public void run(Runnable action) {
        AutogradContext before = container.enter(container.lookup(key));
        try {
            action.run();
        } finally {
            boolean isOpen = before != null && container.isOpen(before.key());
            container.enter(isOpen ? before : null);
        }
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
        return new TreeSet<>(knownWorkers); // in the same order in each JVM
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

    /** Note that a message has come from a worker. */
    synchronized void addSource(int worker) {
        sources.add(worker);
    }

    /** {@return the workers that this one has exchanged recorded messages with} */
    synchronized Set<Integer> partners() {
        Set<Integer> partners = new TreeSet<>(knownWorkers);
        partners.addAll(sources);
        return partners;
    }

    /** {@return whether its creator has shown this worker that the context is its own} */
    synchronized boolean isBroughtByCreator() {
        int creator = key.creator();
        return introducer == creator || sources.contains(creator);
    }

    /** Record nothing from now on; {@return the workers that have been sent recorded messages} */
    synchronized Set<Integer> endRecording() {
        recordingEnded = true;
        return new TreeSet<>(knownWorkers); // in the same order in each JVM
    }

    synchronized void addSend(long messageId, SendRpcBackward send) {
        sends.put(messageId, send);
    }

    synchronized void addReceive(long messageId, RecvRpcBackward receive) {
        receives.put(messageId, receive);
    }

    /**
     * Give back what the graph needs of a call when the context is released; at once if it was, and
     * never if a pass has failed. Both may be the case when the call ends here, which is after its
     * answer was sent.
     */
    void addMemory(Runnable givesBack) {
        synchronized (this) {
            if (leavesMemory) {
                return;
            }
            if (!recordingEnded) {
                memory.add(givesBack);
                return;
            }
        }
        givesBack.run();
    }

    /**
     * Leave what calls left to the collector: a pass has failed, and may still be running. So it is
     * with one that the release finds under way, which it fails before it ends the recording.
     */
    synchronized void leaveMemory() {
        leavesMemory = true;
        memory.clear();
    }

    /** Give back what calls left. Nobody computes with it any more. */
    void giveBackMemory() {
        List<Runnable> all;
        synchronized (this) {
            all = List.copyOf(memory);
            memory.clear();
        }
        all.forEach(Runnable::run);
    }

    synchronized Map<Long, Node> sendsById() {
        return new TreeMap<>(sends);
    }

    synchronized Map<Long, Node> receivesById() {
        return new TreeMap<>(receives);
    }

    /**
     * Return the function of a message that went to a worker.
     *
     * @throws RpcException when none did
     */
    synchronized SendRpcBackward send(long messageId, int destination) {
        SendRpcBackward send = sends.get(messageId);
        if (send == null || send.destination() != destination) {
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
                                : Gradients.addTo(before, gradient, exclusive));
    }

    // ---- the passes

    /** {@return the backward passes of the context, as far as this worker takes part in them} */
    ContextPasses passes() {
        return passes;
    }
}
