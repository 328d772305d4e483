package org.gradwire.examples.inference;

import org.gradwire.autograd.GradMode;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.activation.ReLU;
import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * The model on a worker. Requests that arrive during a computation are the next batch: batches grow
 * with the load, and no request waits for a batch to fill.
 */
public final class Replica {
    static final int FEATURES = 256;

    private static final int HIDDEN = 1024;
    private static final int CLASSES = 10;
    private static final int MAX_BATCH = 32;

    private final Sequential model;
    private final Queue<Request> waiting = new ArrayDeque<>();
    private boolean computing;
    private boolean failing;
    private int batches;

    private record Request(Tensor features, RpcPromise<Tensor> answer) {}

    @RemoteCallable
    public Replica(long seed) {
        model = model(seed);
    }

    /** {@return the model; equal seeds make equal parameters} */
    static Sequential model(long seed) {
        var model =
                new Sequential(
                        new Linear(FEATURES, HIDDEN, seed),
                        new ReLU(),
                        new Linear(HIDDEN, HIDDEN, seed + 1),
                        new ReLU(),
                        new Linear(HIDDEN, CLASSES, seed + 2));
        model.eval();
        return model;
    }

    /**
     * Compute the scores, of shape ({@link #CLASSES}), of features of shape ({@link #FEATURES}).
     */
    @RemoteCallable
    @AsyncExecution
    public RpcFuture<Tensor> predict(Tensor features) {
        Rpc rpc = Rpc.current();
        var request = new Request(features, rpc.promise());
        synchronized (this) {
            if (failing) {
                Lifetime.of(rpc).fail(); // this and all waiting requests are lost
                return request.answer;
            }
            waiting.add(request);
            if (!computing) {
                computing = true;
                Thread.startVirtualThread(this::compute);
            }
        }
        return request.answer;
    }

    private void compute() {
        for (List<Request> batch = next(); !batch.isEmpty(); batch = next()) {
            try {
                answer(batch);
            } catch (RuntimeException e) {
                batch.forEach(request -> request.answer.fail(e));
            }
        }
    }

    private synchronized List<Request> next() {
        List<Request> batch = new ArrayList<>();
        while (batch.size() < MAX_BATCH && !waiting.isEmpty()) {
            batch.add(waiting.remove());
        }
        computing = !batch.isEmpty();
        batches += computing ? 1 : 0;
        return batch;
    }

    private void answer(List<Request> batch) {
        Tensor features = Ops.stack(batch.stream().map(Request::features).toList(), 0);
        List<Tensor> scores = GradMode.noGrad(() -> model.forward(features)).unbind(0);
        for (int row = 0; row < batch.size(); row++) {
            batch.get(row).answer.complete(scores.get(row));
        }
    }

    /** Return the number of computed batches. */
    @RemoteCallable
    public synchronized int batches() {
        return batches;
    }

    /** Make the worker fail at the next request. */
    @RemoteCallable
    public synchronized void failAtNextRequest() {
        failing = true;
    }
}
