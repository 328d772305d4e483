package org.gradwire.rpc.elastic;

import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.GroupView.MemberEvent;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Runs a program step by step in a dynamic group, and lets it recover when members are lost or
 * join.
 *
 * {@snippet :
 * if (rpc.self().id() > 0) {
 *     Elastic.on(rpc).serveUntilLeft("worker0");
 * } else {
 *     Elastic.on(rpc).run(new ElasticProgram() {
 *         public void recover(GroupView view) { servers = place(view); }
 *         public boolean step(GroupView view) { return train(servers); }
 *     });
 * }
 * }
 *
 * <p>{@link #run} calls {@code recover}, then {@code step} until it returns false. When the view of
 * the group has changed, or a step failed since a member was lost, it waits for a view that
 * satisfies the condition, and calls {@code recover} again. A failure that no change of the view
 * follows is thrown.
 *
 * <p>In a static group it calls {@code recover} once, and every failure is thrown.
 *
 * <p>A step that waits for a lost member fails by itself. One that waits for something else, such
 * as members that have begun to recover, is interrupted a time after the change.
 */
public final class Elastic {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration OTHER_PATIENCE = Duration.ofSeconds(5);
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Rpc rpc;
    private final Predicate<GroupView> condition;
    private final Duration timeout;
    private final Duration grace;

    private Elastic(Rpc rpc, Predicate<GroupView> condition, Duration timeout, Duration grace) {
        this.rpc = rpc;
        this.condition = condition;
        this.timeout = timeout;
        this.grace = grace;
    }

    /** Return a runner for a worker, whose condition is a {@link Rpc#quorum} of members. */
    public static Elastic on(Rpc rpc) {
        return new Elastic(rpc, view -> view.members().size() >= rpc.quorum(), TIMEOUT, GRACE);
    }

    /** Return a runner that recovers and steps only in views that satisfy another condition. */
    public Elastic when(Predicate<GroupView> wanted) {
        return new Elastic(rpc, wanted, timeout, grace);
    }

    /**
     * Return a runner that waits no longer than this for such a view; 5 minutes by default.
     *
     * @throws IllegalArgumentException if the time is zero or negative
     */
    public Elastic timeout(Duration most) {
        return new Elastic(rpc, condition, positive(most), grace);
    }

    /**
     * Return a runner that interrupts a step this long after a change; 5 seconds by default.
     *
     * @throws IllegalArgumentException if the time is zero or negative
     */
    public Elastic grace(Duration afterChange) {
        return new Elastic(rpc, condition, timeout, positive(afterChange));
    }

    private static Duration positive(Duration time) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException("the time must be more than zero, not " + time);
        }
        return time;
    }

    /**
     * Serve the calls of peers until a member announces that it leaves; a loss does not count, as
     * the member may return. Returns at once if it has left already, and in a static group, whose
     * shutdown waits for all.
     *
     * @throws RpcTimeoutException if there is no such member for the time of {@link #timeout}
     */
    public void serveUntilLeft(String name) {
        if (!rpc.isDynamic()) {
            return;
        }
        BlockingQueue<MemberEvent> events = new LinkedBlockingQueue<>();
        try (var _ = rpc.onMember(events::add)) {
            awaitLeft(name, events);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while serving until " + name + " leaves");
        }
    }

    private void awaitLeft(String name, BlockingQueue<MemberEvent> events)
            throws InterruptedException {
        GroupView first = rpc.view();
        if (first.left().stream().anyMatch(worker -> worker.name().equals(name))) {
            return;
        }
        boolean isPresent = first.member(name).isPresent();
        long absentSince = System.nanoTime();
        while (true) {
            MemberEvent event = events.poll(1, TimeUnit.SECONDS);
            GroupView view = rpc.view(); // throws when this worker has stopped
            if (event != null && event.worker().name().equals(name)) {
                if (event.kind() == MemberEvent.Kind.LEFT) {
                    return;
                }
                isPresent = !event.kind().isDeparture();
                absentSince = System.nanoTime();
            }
            if (!isPresent && System.nanoTime() - absentSince > timeout.toNanos()) {
                throw new RpcTimeoutException(
                        "%s has not returned within %d ms; the last view is %d of %s"
                                .formatted(name, timeout.toMillis(), view.number(), view.names()));
            }
        }
    }

    /**
     * Run a program until its step returns false.
     *
     * @throws RpcTimeoutException if no view satisfies the condition in time
     * @throws RpcException if a step fails for another reason than a change of the members
     */
    public void run(ElasticProgram program) {
        if (rpc.isDynamic()) {
            runInChangingViews(program);
        } else {
            GroupView view = rpc.view();
            program.recover(view);
            while (program.step(view)) {
                // the next step
            }
        }
    }

    private void runInChangingViews(ElasticProgram program) {
        var interrupter = new StepInterrupter(grace);
        try (var _ = rpc.onMember(event -> interrupter.onView(event.view().number()))) {
            GroupView recovered = null;
            while (true) {
                GroupView view = rpc.awaitView(condition, timeout);
                GroupView known = recovered;
                RpcException failure = null;
                try {
                    if (!interrupter.call(
                            view.number(),
                            () -> {
                                interrupter.onView(rpc.view().number()); // its event may be past
                                return advance(program, view, known);
                            })) {
                        return;
                    }
                    recovered = view;
                } catch (RpcException e) {
                    failure = e;
                    recovered = null;
                }
                if (failure != null) {
                    awaitChange(view, failure);
                }
            }
        }
    }

    /** Recover unless this is done, or do a step; {@return whether there is more to do} */
    private static boolean advance(
            ElasticProgram program, GroupView view, @Nullable GroupView recovered) {
        if (recovered != null && recovered.number() == view.number()) {
            return program.step(view);
        }
        program.recover(view);
        return true;
    }

    /** Wait for the change of the view that explains a failure, or throw the failure. */
    private void awaitChange(GroupView view, RpcException failure) {
        try {
            rpc.awaitView(
                    next -> next.number() != view.number(),
                    isLoss(failure) ? PATIENCE : OTHER_PATIENCE);
        } catch (RpcTimeoutException _) {
            throw failure;
        }
    }

    private static boolean isLoss(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RpcConnectionException || cause instanceof RpcTimeoutException) {
                return true;
            }
        }
        return false;
    }
}
