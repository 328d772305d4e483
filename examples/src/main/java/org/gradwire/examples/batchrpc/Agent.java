package org.gradwire.examples.batchrpc;

import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Chooses actions for observers, for a whole batch in one forward pass. */
public final class Agent {
    private final Policy policy;
    private final int batchSize;
    private final AtomicInteger batches = new AtomicInteger();
    private final LongAdder nanos = new LongAdder(); // of all forward passes
    private Map<Integer, Question> asked = new TreeMap<>(); // by observer

    private record Question(Tensor state, RpcPromise<Integer> action) {}

    Agent(Policy policy, int batchSize) {
        this.policy = policy;
        this.batchSize = batchSize;
    }

    /**
     * Choose an action for an observer's state. The future completes when the batch is full; no
     * thread waits for that.
     */
    @RemoteCallable
    @AsyncExecution
    public RpcFuture<Integer> selectAction(int observer, Tensor state) {
        var question = new Question(state, Rpc.current().promise());
        Map<Integer, Question> batch = add(observer, question);
        if (batch.size() == batchSize) {
            answer(batch);
        }
        return question.action;
    }

    /** {@return the questions so far; a full batch starts the next one} */
    private synchronized Map<Integer, Question> add(int observer, Question question) {
        asked.put(observer, question);
        if (asked.size() < batchSize) {
            return Map.of();
        }
        Map<Integer, Question> batch = asked;
        asked = new TreeMap<>();
        return batch;
    }

    private void answer(Map<Integer, Question> batch) {
        List<Question> questions = List.copyOf(batch.values());
        List<Tensor> states = questions.stream().map(Question::state).toList();
        long start = System.nanoTime();
        List<Integer> actions = policy.choose(new ArrayList<>(batch.keySet()), states);
        nanos.add(System.nanoTime() - start);
        batches.incrementAndGet();
        for (int row = 0; row < questions.size(); row++) {
            questions.get(row).action.complete(actions.get(row));
        }
    }

    /** {@return the number of computed batches} */
    int batches() {
        return batches.get();
    }

    /** {@return the total time of the forward passes, including parallel ones} */
    long computingNanos() {
        return nanos.sum();
    }
}
