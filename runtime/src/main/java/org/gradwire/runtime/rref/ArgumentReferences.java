package org.gradwire.runtime.rref;

import org.gradwire.rpc.RRef;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.rref.RRefContext.Received;
import org.gradwire.runtime.wire.Values;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The references among the arguments of a call that this worker serves, also those within other
 * arguments. They are given up when the function has ended, but for those that it retains, and
 * those that a value keeps which the function leaves on this worker.
 *
 * <p>A value keeps the references that are found in it. An object that only its own class can look
 * into keeps all of the call: it may have been made of them.
 */
public final class ArgumentReferences {
    /** Those of a call without any. */
    public static final ArgumentReferences NONE = new ArgumentReferences(List.of(), null, null);

    /** Those of the call whose function this thread runs; not bound where there are none. */
    private static final ScopedValue<ArgumentReferences> CURRENT = ScopedValue.newInstance();

    private final List<Received> received;
    private final @Nullable Values values;
    private final @Nullable Object referent;

    private ArgumentReferences(
            List<Received> received, @Nullable Values values, @Nullable Object referent) {
        this.received = received;
        this.values = values;
        this.referent = referent;
    }

    /**
     * Let references that came in a message be open for as long as its call.
     *
     * @param referent the one that stands for its value, and that the function does not see; null
     *     when there is none
     */
    public static ArgumentReferences of(
            List<Received> received, Values values, @Nullable Object referent) {
        if (received.isEmpty()) {
            return NONE;
        }
        received.forEach(one -> handle(one).lend());
        return new ArgumentReferences(received, values, referent);
    }

    private static AbstractRRef<?> handle(Received received) {
        return (AbstractRRef<?>) received.rref();
    }

    public boolean isEmpty() {
        return received.isEmpty();
    }

    /** {@return complete when the owners know of the references, before which no function runs} */
    public List<CallFuture<@Nullable Void>> confirmations() {
        if (received.isEmpty()) {
            return List.of();
        }
        List<CallFuture<@Nullable Void>> confirmations = new ArrayList<>(received.size());
        for (Received reference : received) {
            if (reference.confirmation() != null) {
                confirmations.add(reference.confirmation());
            }
        }
        return confirmations;
    }

    /** What a thread does with the references. */
    @FunctionalInterface
    public interface Action {
        @Nullable Object run() throws Throwable;
    }

    /** Run a function, whose references to its own values keep those that came with the call. */
    public @Nullable Object run(Action function) throws Throwable {
        return ScopedValue.where(CURRENT, this).call(function::run);
    }

    /** Let the result of the function keep its references when it stays on this worker. */
    public void keepFor(@Nullable Object result, RRefContext context, GloballyUniqueId rrefId) {
        List<AbstractRRef<?>> kept = heldBy(result);
        if (!kept.isEmpty()) {
            context.keep(rrefId, kept);
        }
    }

    /** Let a value that a running function refers to keep references of its call. */
    static void keepFor(@Nullable Object value, OwnerState state) {
        if (CURRENT.isBound()) {
            OwnedValues.keep(state, CURRENT.get().heldBy(value));
        }
    }

    @SuppressWarnings("ReferenceEquality") // two handles on a value of this worker are equal
    private List<AbstractRRef<?>> heldBy(@Nullable Object value) {
        if (values == null) {
            return List.of();
        }
        Set<Object> found = Collections.newSetFromMap(new IdentityHashMap<>());
        boolean isAll = isAllFound(values, value, found);
        List<AbstractRRef<?>> held = new ArrayList<>();
        for (Received one : received) {
            AbstractRRef<?> rref = handle(one);
            if (rref != referent && (!isAll || found.contains(rref))) {
                held.add(rref);
            }
        }
        return held;
    }

    /** What the value does not let us see may be there. */
    private static boolean isAllFound(Values values, @Nullable Object value, Set<Object> found) {
        try {
            return values.findIn(value, RRef.class, found::add);
        } catch (RuntimeException _) {
            return false;
        }
    }

    /** The function has ended, or does not run: give up what nothing keeps. */
    public void giveUp() {
        for (int i = 0; i < received.size(); i++) {
            handle(received.get(i)).endTenure(Tenure.CALL);
        }
    }
}
