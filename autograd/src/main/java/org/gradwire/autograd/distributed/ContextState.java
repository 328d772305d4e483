package org.gradwire.autograd.distributed;

import org.gradwire.autograd.Gradients;
import org.gradwire.autograd.GraphTask;
import org.gradwire.autograd.Node;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The state of a distributed autograd context on one worker: the functions of its recorded
 * messages, the workers with which it exchanged them, the gradients and the backward passes.
 * Thread-safe.
 */
final class ContextState implements GraphTask.Accumulator {
    private final ContextKey key;
    private final int introducer;
    private final Worker worker;
    private final ContextPasses passes;

    // All guarded by this.
    private final Map<Long, SendRpcBackward> sends = new TreeMap<>();
    private final Map<Long, RecvRpcBackward> receives = new TreeMap<>();
    private final Set<Integer> knownWorkers = new TreeSet<>();
    private final Set<Integer> sources = new TreeSet<>(); // of recorded messages
    private boolean recordingEnded;
    private final Map<Tensor, Tensor> gradients = new LinkedHashMap<>();
    private final List<Runnable> memory = new ArrayList<>(); // frees the memory of calls
    private boolean leavesMemory;

    /**
     * Create the state of a context.
     *
     * @param introducer the worker whose message creates it; this worker if it opens the context
     * @param worker this worker
     */
    ContextState(ContextKey key, int introducer, Worker worker) {
        this.key = key;
        this.introducer = introducer;
        this.worker = worker;
        this.passes = new ContextPasses(key.id(), worker.self().id());
    }

    long id() {
        return key.id();
    }

    /** {@return its name in messages} */
    ContextKey key() {
        return key;
    }

    int introducer() {
        return introducer;
    }

    /** {@return the worker whose state this is} */
    Worker worker() {
        return worker;
    }

    /** {@return the order of its backward passes on this worker} */
    ContextPasses passes() {
        return passes;
    }

    // ---- workers

    /** Note that a message will be sent to a worker; {@return false if the recording has ended} */
    synchronized boolean addKnownWorker(int id) {
        if (recordingEnded) {
            return false;
        }
        knownWorkers.add(id);
        return true;
    }

    /** {@return the ids of the workers to which this one has sent recorded messages} */
    synchronized Set<Integer> knownWorkers() {
        return new TreeSet<>(knownWorkers); // in the same order in each JVM
    }

    /** Note that a message arrived from a worker. */
    synchronized void addSource(int id) {
        sources.add(id);
    }

    /** {@return the workers with which this one has exchanged recorded messages} */
    synchronized Set<Integer> peers() {
        Set<Integer> peers = new TreeSet<>(knownWorkers);
        peers.addAll(sources);
        return peers;
    }

    /** {@return whether recorded messages of a worker named the context to this worker} */
    synchronized boolean isIntroducedBy(int id) {
        return sources.contains(id);
    }

    /** {@return whether its creator has named the context to this worker, so it is not forged} */
    synchronized boolean isBroughtByCreator() {
        int creator = key.creator();
        return introducer == creator || sources.contains(creator);
    }

    /** End the recording; {@return the workers to which recorded messages were sent} */
    synchronized Set<Integer> endRecording() {
        recordingEnded = true;
        return knownWorkers();
    }

    // ---- recorded functions

    synchronized void addSend(long messageId, SendRpcBackward send) {
        sends.put(messageId, send);
    }

    synchronized void addReceive(RecvRpcBackward receive) {
        receives.put(receive.messageId(), receive);
    }

    /** {@return the send functions, in ascending order of message id} */
    synchronized List<Node> sendFunctions() {
        return List.copyOf(sends.values());
    }

    /** {@return the receive functions, in ascending order of message id} */
    synchronized List<Node> recvFunctions() {
        return List.copyOf(receives.values());
    }

    synchronized Map<Long, Node> sendsById() {
        return new TreeMap<>(sends);
    }

    synchronized Map<Long, Node> receivesById() {
        return new TreeMap<>(receives);
    }

    /**
     * Return the send function of a message to a worker.
     *
     * @throws RpcException if there is none
     */
    synchronized SendRpcBackward send(long messageId, int destination) {
        SendRpcBackward send = sends.get(messageId);
        if (send == null || send.destination() != destination) {
            throw new RpcException(
                    "Could not find send function for autograd message id: " + messageId);
        }
        return send;
    }

    // ---- gradients

    @Override
    public synchronized void accumulate(Tensor variable, Tensor gradient, boolean exclusive) {
        gradients.compute(
                variable,
                (_, before) ->
                        before == null
                                ? Gradients.own(gradient, exclusive)
                                : Gradients.addTo(before, gradient, exclusive));
    }

    @Override
    public synchronized @Nullable Tensor gradient(Tensor variable) {
        return gradients.get(variable);
    }

    @Override
    public synchronized void replace(Tensor variable, Tensor gradient) {
        gradients.put(variable, gradient);
    }

    /** {@return a copy of the gradients so far, by leaf} */
    synchronized Map<Tensor, Tensor> gradients() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(gradients));
    }

    // ---- memory of calls

    /**
     * Free the memory of a call when the context is released; immediately if it was released, and
     * never if a pass has failed. Either may have happened before the call ends here, which is
     * after its reply was sent.
     */
    void addMemory(Runnable free) {
        synchronized (this) {
            if (leavesMemory) {
                return;
            }
            if (!recordingEnded) {
                memory.add(free);
                return;
            }
        }
        free.run();
    }

    /**
     * Leave the memory of calls to the garbage collector: a pass has failed, and may still be
     * running. A release fails the running pass before it ends the recording.
     */
    synchronized void leaveMemory() {
        leavesMemory = true;
        memory.clear();
    }

    /** Free the memory of calls, which no pass uses now. */
    void freeMemory() {
        List<Runnable> all;
        synchronized (this) {
            all = List.copyOf(memory);
            memory.clear();
        }
        all.forEach(Runnable::run);
    }
}
