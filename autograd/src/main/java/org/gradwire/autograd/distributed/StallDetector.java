package org.gradwire.autograd.distributed;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Detects passes in {@link BackwardMode#FAST} that wait for gradients without any activity here,
 * and reports the messages whose gradients they await. On the initiator a report is certain, since
 * all others have replied; another worker cannot distinguish a stalled pass from a slow third
 * worker. While passes run, the detector checks them once in the time after which one counts as
 * stalled, so that short passes cost almost nothing.
 */
final class StallDetector {
    static final Setting SETTING =
            new Setting(
                    "gradwire.autograd.stall-warning",
                    "10s",
                    "Time after which a backward pass in FAST mode that waits for gradients is"
                            + " reported, in the log and the debug info; 0s for never.");
    private static final int MOST_NAMED = 10;
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.autograd");

    private final Worker worker;
    private final ContextContainer contexts;
    private final Duration patience;
    private final AtomicBoolean isArmed = new AtomicBoolean();

    StallDetector(Worker worker, ContextContainer contexts) {
        this.worker = worker;
        this.contexts = contexts;
        this.patience = worker.settings().duration(SETTING.key());
    }

    /** Note that a pass has begun. */
    void begun() {
        if (!patience.isZero() && !isArmed.get() && isArmed.compareAndSet(false, true)) {
            worker.executeLater(patience, this::look);
        }
    }

    private void look() {
        isArmed.set(false); // first, so that a pass that begins meanwhile arms it again
        long left = Long.MAX_VALUE;
        for (BackwardPass pass : passes().filter(pass -> !pass.isReported()).toList()) {
            long waits = patience.toNanos() - pass.idleNanos();
            if (waits > 0) {
                left = Math.min(left, waits);
            } else {
                pass.setReported();
                LOGGER.log(System.Logger.Level.WARNING, report(pass));
            }
        }
        if (left < Long.MAX_VALUE && isArmed.compareAndSet(false, true)) {
            worker.executeLater(Duration.ofNanos(left), this::look);
        }
    }

    /** {@return a report of each stalled pass} */
    List<String> reports() {
        return passes().filter(BackwardPass::isReported)
                .filter(pass -> pass.idleNanos() > 0)
                .map(this::report)
                .toList();
    }

    private Stream<BackwardPass> passes() {
        return contexts.all().stream()
                .map(context -> context.passes().current())
                .filter(BackwardPass.class::isInstance)
                .map(BackwardPass.class::cast)
                .filter(pass -> pass.mode() == BackwardMode.FAST);
    }

    private String report(BackwardPass pass) {
        List<SendRpcBackward> awaited = pass.awaited().toList();
        String sent =
                awaited.stream()
                        .limit(MOST_NAMED)
                        .map(send -> send.describe(name(send.destination())))
                        .collect(Collectors.joining("; "));
        int unnamed = awaited.size() - MOST_NAMED;
        boolean sitesKnown = awaited.stream().anyMatch(send -> send.forwardSite().isPresent());
        return "%s has waited for %d s in backward pass %d of autograd context %d for the gradients of %s%s. In FAST mode the results of all calls must take part in the pass; if one is not used, run the pass with BackwardOptions.smart()%s"
                .formatted(
                        worker.self().name(),
                        Duration.ofNanos(pass.idleNanos()).toSeconds(),
                        pass.id(),
                        pass.context().id(),
                        sent,
                        unnamed > 0 ? "; and " + unnamed + " more messages" : "",
                        sitesKnown
                                ? ""
                                : ". Make the calls in AnomalyMode.detect() to see their places in the program");
    }

    private String name(int id) {
        try {
            return worker.rpc().worker(id).name();
        } catch (RpcException _) {
            return "worker with id " + id; // it has left
        }
    }
}
