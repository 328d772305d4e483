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
 * The references in the arguments of an inbound call, including nested ones. They are closed when
 * the function ends, except those that it retains, and those in a value that it leaves on this
 * worker.
 *
 * <p>A value keeps the references found in it. An opaque object keeps all references of the call,
 * since it may contain them.
 */
public final class ArgumentReferences {
    /** The references of a call without any. */
    public static final ArgumentReferences NONE = new ArgumentReferences(List.of(), null, null);

    /** The references of the call that this thread runs; not bound if there are none. */
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
     * Limit the lifetime of references in a message to its call.
     *
     * @param referent the reference whose value is passed, which the function does not see; null if
     *     there is none
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

    /**
     * {@return futures that complete when the owners know of the references; the function runs
     * afterwards}
     */
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

    /** The run of a function. */
    @FunctionalInterface
    public interface Action {
        @Nullable Object run() throws Throwable;
    }

    /** Run a function. Values to which it creates references keep references of the call. */
    public @Nullable Object run(Action function) throws Throwable {
        return ScopedValue.where(CURRENT, this).call(function::run);
    }

    /** Keep the references in the function's result, which stays on this worker, open. */
    public void keepFor(@Nullable Object result, RRefContext context, GloballyUniqueId rrefId) {
        List<AbstractRRef<?>> kept = heldBy(result);
        if (!kept.isEmpty()) {
            context.keep(rrefId, kept);
        }
    }

    /**
     * Keep references of the call open for a value to which the running function creates a
     * reference.
     */
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

    /** Search a value; {@return whether all of it could be searched} */
    private static boolean isAllFound(Values values, @Nullable Object value, Set<Object> found) {
        try {
            return values.findIn(value, RRef.class, found::add);
        } catch (RuntimeException _) {
            return false;
        }
    }

    /** Close the references that no value keeps: the function has ended, or does not run. */
    public void giveUp() {
        for (int i = 0; i < received.size(); i++) {
            handle(received.get(i)).endTenure(HandleLifetime.CALL);
        }
    }
}
