package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.IntFunction;

/**
 * Members of a group that are called together. Made by {@link Rpc#workers(String)}.
 *
 * {@snippet :
 * WorkerGroup trainers = rpc.workers("trainer*");
 * Results<Tensor> losses = trainers.callAll(Call.to(Jobs::loss, batch));            // the same for all
 * Results<Tensor> parts = trainers.callAll(i -> Call.to(Jobs::loss, shards.get(i))); // by member
 * trainers.callAll(Call.run(Jobs::save, path), FailureRule.quorum(2));
 * }
 *
 * <p>It is a fixed list: the members that the group had when it was made, in the order of their
 * ids. A worker that joins later is not in it, and the call of one that has left fails.
 *
 * <p><b>Calls</b> are those of {@link RpcCalls}, one for each member. All of them are sent before
 * the first wait, on the calling thread, and a member that is slow to accept calls delays those
 * after it. Arguments that cannot be sent fail the whole call: the calls sent before are cancelled.
 *
 * <p><b>Failures.</b> A {@link FailureRule} says how many members must succeed. As soon as they
 * have, or can no longer, the call is complete, and the calls that still run are cancelled as by
 * {@link RpcFuture#cancel}.
 *
 * <p><b>Gradients.</b> Within an autograd context every call is recorded as a single one is, so a
 * backward pass from a sum of results adds the gradients of all members. A call that was cancelled
 * takes no part in the pass: use the mode {@code SMART} after another rule than {@link
 * FailureRule#ALL}.
 *
 * <p>Thread-safe.
 */
public interface WorkerGroup {

    /** {@return the members, by id} */
    List<WorkerInfo> members();

    /** {@return the number of members, at least one} */
    default int size() {
        return members().size();
    }

    /**
     * Return a member.
     *
     * @param index from 0
     * @throws IndexOutOfBoundsException if there is no such member
     */
    default WorkerInfo get(int index) {
        return members().get(index);
    }

    /** {@return the names of the members, in their order} */
    default List<String> names() {
        return members().stream().map(WorkerInfo::name).toList();
    }

    /**
     * Return a part of the group.
     *
     * @param from index of the first member
     * @param to index after the last member
     * @throws IndexOutOfBoundsException if there are no such members
     * @throws IllegalArgumentException if the part is empty
     */
    WorkerGroup slice(int from, int to);

    /** Return the same group, whose calls have another timeout; {@link RpcCalls#withTimeout}. */
    WorkerGroup withTimeout(Duration timeout);

    /** Return the same group, whose calls have no timeout; {@link RpcCalls#withoutTimeout}. */
    WorkerGroup withoutTimeout();

    /** Return the same group, whose calls are retried; {@link RpcCalls#withRetry}. */
    WorkerGroup withRetry(RetryPolicy policy);

    /** Call a function on all members and wait; {@link #callAll(IntFunction, FailureRule)}. */
    default <R extends @Nullable Object> Results<R> callAll(Call<R> call) {
        return callAll(call, FailureRule.ALL);
    }

    /** Call a function on all members and wait; {@link #callAll(IntFunction, FailureRule)}. */
    default <R extends @Nullable Object> Results<R> callAll(Call<R> call, FailureRule rule) {
        return callAllAsync(call, rule).join();
    }

    /** Call a function on all members and wait; {@link #callAll(IntFunction, FailureRule)}. */
    default <R extends @Nullable Object> Results<R> callAll(IntFunction<Call<R>> calls) {
        return callAll(calls, FailureRule.ALL);
    }

    /**
     * Call a function on all members and wait for the results.
     *
     * <p>As {@link #callAllAsync(IntFunction, FailureRule)} followed by {@link RpcFuture#join()}.
     * An interrupt ends the wait, not the calls.
     */
    default <R extends @Nullable Object> Results<R> callAll(
            IntFunction<Call<R>> calls, FailureRule rule) {
        return callAllAsync(calls, rule).join();
    }

    /** Call a function on all members; {@link #callAllAsync(IntFunction, FailureRule)}. */
    default <R extends @Nullable Object> RpcFuture<Results<R>> callAllAsync(Call<R> call) {
        return callAllAsync(call, FailureRule.ALL);
    }

    /** Call a function on all members; {@link #callAllAsync(IntFunction, FailureRule)}. */
    default <R extends @Nullable Object> RpcFuture<Results<R>> callAllAsync(
            Call<R> call, FailureRule rule) {
        return callAllAsync(_ -> call, rule);
    }

    /** Call a function on all members; {@link #callAllAsync(IntFunction, FailureRule)}. */
    default <R extends @Nullable Object> RpcFuture<Results<R>> callAllAsync(
            IntFunction<Call<R>> calls) {
        return callAllAsync(calls, FailureRule.ALL);
    }

    /**
     * Call a function on all members.
     *
     * @param calls returns the call of the member with an index; called for all on this thread
     * @param rule how many members must succeed
     * @return completes with the results, or fails with a {@link MembersFailedException}; its
     *     cancellation cancels all calls
     * @throws IllegalArgumentException if arguments cannot be sent, or the rule needs more members
     *     than there are
     */
    <R extends @Nullable Object> RpcFuture<Results<R>> callAllAsync(
            IntFunction<Call<R>> calls, FailureRule rule);

    /** Call a function on all members; {@link #stream(IntFunction)}. */
    default <R extends @Nullable Object> ResultStream<R> stream(Call<R> call) {
        return stream(_ -> call);
    }

    /**
     * Call a function on all members, and return the results as they arrive, failures among them.
     *
     * {@snippet :
     * try (ResultStream<Tensor> losses = trainers.stream(Call.to(Jobs::loss, batch))) {
     *     for (MemberResult<Tensor> loss : losses) {
     *         log(loss.worker(), loss.value());
     *     }
     * }
     * }
     *
     * @param calls returns the call of the member with an index; called for all on this thread
     * @throws IllegalArgumentException if arguments cannot be sent
     */
    <R extends @Nullable Object> ResultStream<R> stream(IntFunction<Call<R>> calls);

    /** Call a function on all members, and return the first result that arrives. */
    default <R extends @Nullable Object> R first(Call<R> call) {
        return first(_ -> call);
    }

    /**
     * Call a function on all members, return the first result that arrives, and cancel the other
     * calls.
     *
     * @param calls returns the call of the member with an index; called for all on this thread
     * @throws MembersFailedException if all members failed
     * @throws IllegalArgumentException if arguments cannot be sent
     */
    default <R extends @Nullable Object> R first(IntFunction<Call<R>> calls) {
        return callAll(calls, FailureRule.ANY).values().getFirst();
    }

    /**
     * Return the least busy member, for the next call: the one with the fewest calls of this worker
     * that have not ended. Members with equal numbers take turns.
     *
     * <p>Sends nothing. Calls of other workers, and the work of the members themselves, are not
     * counted; a member that is slow for another reason is chosen less since its calls end later. A
     * hint: threads that choose at the same time may get the same member.
     *
     * {@snippet :
     * Tensor y = rpc.rpcSync(trainers.choose().name(), Jobs::forward, x);
     * }
     */
    WorkerInfo choose();

    /**
     * Send a value to all members, each of which keeps a copy.
     *
     * <p>The value goes over a tree: this worker sends it to at most four members, and members pass
     * it on in the same way. Each message has the timeout of this group's calls. All workers that
     * pass it on must be permitted to do so: see docs/security.md.
     *
     * @param value may be sent as an argument; this worker gets a copy too if it is a member
     * @return references to the copies, in the order of the members, each owned by its member; the
     *     caller closes them
     * @throws MembersFailedException if a member fails or is lost; the references that were made
     *     are released
     * @throws IllegalArgumentException if the value cannot be sent
     */
    <T extends @Nullable Object> List<RRef<T>> broadcast(T value);

    /**
     * The number of members that must succeed.
     *
     * @param successes 0 means all
     */
    record FailureRule(int successes) {
        /** All members must succeed: the first failure fails the call. */
        public static final FailureRule ALL = new FailureRule(0);

        /** One member must succeed: the first result completes the call. */
        public static final FailureRule ANY = new FailureRule(1);

        /** Create a rule; {@link #quorum}. */
        public FailureRule {
            if (successes < 0) {
                throw tooFew(successes);
            }
        }

        /**
         * Return the rule that a number of members must succeed: the call is complete with their
         * results, the first to arrive.
         *
         * @param members at least 1
         */
        public static FailureRule quorum(int members) {
            if (members < 1) {
                throw tooFew(members);
            }
            return new FailureRule(members);
        }

        private static IllegalArgumentException tooFew(int members) {
            return new IllegalArgumentException("a quorum must be at least 1, but got " + members);
        }

        @Override
        public String toString() {
            return successes == 0 ? "all" : "at least " + successes;
        }
    }

    /**
     * The results of the members that succeeded.
     *
     * @param byName in the order of the members
     * @param <R> result type of the function
     */
    record Results<R extends @Nullable Object>(Map<String, R> byName) {

        /** Copy the results. */
        public Results {
            byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
        }

        /**
         * {@return the results in the order of the members; of all members under {@link
         * FailureRule#ALL}}
         */
        public List<R> values() {
            return Collections.unmodifiableList(new ArrayList<>(byName.values()));
        }

        /**
         * Return the result of a member.
         *
         * @throws NoSuchElementException if it is not among the results
         */
        @SuppressWarnings("NullAway") // null is a result only if R permits it
        public R get(String worker) {
            if (!byName.containsKey(worker)) {
                throw new NoSuchElementException(
                        "there is no result of %s; the results are those of %s"
                                .formatted(worker, byName.keySet()));
            }
            return byName.get(worker);
        }
    }

    /**
     * The end of one member's call.
     *
     * @param outcome complete
     * @param <R> result type of the function
     */
    record MemberResult<R extends @Nullable Object>(WorkerInfo worker, RpcFuture<R> outcome) {

        /**
         * Return the result.
         *
         * @throws RuntimeException the failure of the call, of its original type
         */
        public R value() {
            return outcome.value();
        }
    }

    /**
     * The results of a call of all members, in the order in which they arrive. Each wait ends no
     * later than the timeout of the calls. For one thread.
     *
     * @param <R> result type of the function
     */
    interface ResultStream<R extends @Nullable Object>
            extends Iterable<MemberResult<R>>, AutoCloseable {

        /** Cancel the calls that still run. Further results are dropped. Does not wait. */
        @Override
        void close();
    }

    /** A call of all members failed, since too few of them succeeded. */
    final class MembersFailedException extends RpcException {
        private static final long serialVersionUID = 1L;

        private final LinkedHashMap<String, RuntimeException> failures;

        /**
         * Create the failure of a call. The first failure is its cause, the others are suppressed.
         *
         * @param failures of members, by name, in the order in which they occurred; not empty
         */
        public MembersFailedException(
                RpcErrorKind kind, String message, Map<String, RuntimeException> failures) {
            super(kind, message, failures.values().iterator().next());
            this.failures = new LinkedHashMap<>(failures);
            failures.values().stream().skip(1).forEach(this::addSuppressed);
        }

        /**
         * {@return the failures by the names of the members, in the order in which they occurred;
         * calls that were cancelled because of them are not failures}
         */
        public Map<String, RuntimeException> failures() {
            return Collections.unmodifiableMap(failures);
        }
    }
}
