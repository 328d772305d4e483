package org.gradwire.attack;

import org.gradwire.attack.intruder.InputCounts;
import org.gradwire.attack.operator.Operator;
import org.gradwire.attack.site.UnavailableException;
import org.gradwire.attack.site.VictimGroup;
import org.gradwire.attack.site.VictimMetrics;
import org.gradwire.attack.site.Wiring;
import org.gradwire.attack.victim.HonestClientReport;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Tries all attack vectors in sequence. A group is attacked until it shows a fault; the next vector
 * then gets a new group.
 */
final class Campaign implements AutoCloseable {
    private static final long LEAST_SECONDS = 30;
    private static final long SLOWEST_INPUTS_A_SECOND = 200;
    private static final Duration TIME_TO_SETTLE = Duration.ofSeconds(15);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);
    private static final HonestClientReport NO_REPORT = new HonestClientReport(0, 0, 0, 0, "");
    private static final VictimMetrics NO_METRICS = new VictimMetrics(0, 0, 0, 0, 0, 0, 0);

    private final Options options;
    private final Path folder;
    private final long deadline;
    private @Nullable VictimGroup victimGroup;
    private @Nullable Wiring wiring;
    private int sites;

    Campaign(Options options, Path folder) {
        this.options = options;
        this.folder = folder;
        deadline = System.nanoTime() + options.time().toNanos();
    }

    /**
     * Try one attack vector.
     *
     * @throws UnavailableException when it cannot be tried here, with the reason
     * @throws IOException when the group does not start
     */
    Result run(AttackVector attackVector) throws IOException, InterruptedException {
        VictimGroup attacked = site(attackVector.wiring());
        VictimMetrics before = attacked.victimMetrics();
        var _ = attacked.report();
        long begun = System.nanoTime();
        List<String> faults = new ArrayList<>();
        InputCounts inputCounts = new InputCounts(0, 0, 0, 0);
        try {
            inputCounts = attack(attacked, attackVector);
        } catch (UnavailableException e) {
            throw e;
        } catch (IOException e) {
            faults.add("the attack did not end normally: " + e.getMessage());
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        if (attackVector.isClosed() && inputCounts.served() > 0) {
            faults.add(inputCounts.served() + " inputs were served");
        }
        Result result = look(attacked, attackVector, inputCounts, before, seconds, faults);
        if (!result.faults().isEmpty()) {
            close();
        }
        return result;
    }

    private InputCounts attack(VictimGroup attacked, AttackVector attackVector)
            throws IOException, InterruptedException {
        long inputs = attackVector.inputs(options.inputs());
        long seed = options.seed() + attackVector.name().hashCode();
        long left = Math.max(1, (deadline - System.nanoTime()) / 1_000_000_000);
        if (attackVector.isOperator()) {
            return Operator.named(attackVector.attacker())
                    .operate(
                            attacked, new SplittableRandom(seed), inputs, Duration.ofSeconds(left));
        }
        long seconds = Math.min(left, LEAST_SECONDS + inputs / SLOWEST_INPUTS_A_SECOND);
        return attacked.attack(
                attackVector.attacker(),
                attackVector.origin(),
                seed,
                inputs,
                Duration.ofSeconds(seconds));
    }

    /** Poll the victim's resources until they are within their limits, or a timeout. */
    private static Result look(
            VictimGroup attacked,
            AttackVector attackVector,
            InputCounts inputCounts,
            VictimMetrics before,
            double seconds,
            List<String> faults)
            throws InterruptedException {
        HonestClientReport client = NO_REPORT;
        VictimMetrics after = NO_METRICS;
        try {
            long end = System.nanoTime() + TIME_TO_SETTLE.toNanos();
            after = attacked.victimMetrics();
            while (!after.aboveLimits(before).isEmpty() && System.nanoTime() - end < 0) {
                Thread.sleep(BETWEEN_LOOKS);
                after = attacked.victimMetrics();
            }
            client = attacked.report();
            after.aboveLimits(before)
                    .forEach(
                            (name, growth) -> faults.add("%s grew by %,d".formatted(name, growth)));
            if (attacked.ranUnmarkedCode()) {
                faults.add("the victim ran code that is not marked");
            }
        } catch (IOException e) {
            faults.add("no answer: " + e.getMessage());
        }
        if (!attackVector.isClosed()) {
            join(attacked, faults);
        }
        if (!attacked.isAlive()) {
            faults.add("the victim died");
        }
        if (client.failures() > 0) {
            faults.add(
                    "%d of %d calls of the client failed: %s"
                            .formatted(client.failures(), client.calls(), client.firstFailure()));
        }
        if (client.calls() == 0) {
            faults.add("no call of the client ended");
        }
        return new Result(attackVector, inputCounts, client, before, after, seconds, faults);
    }

    private static void join(VictimGroup attacked, List<String> faults) {
        try {
            attacked.join();
        } catch (IOException e) {
            faults.add("a new worker could not join: " + e.getMessage());
        }
    }

    private VictimGroup site(Wiring wanted) throws IOException, InterruptedException {
        VictimGroup present = victimGroup;
        if (present != null && wiring == wanted) {
            return present;
        }
        close();
        VictimGroup made = new VictimGroup(wanted, folder.resolve("site-" + sites++));
        victimGroup = made;
        wiring = wanted;
        Thread.sleep(TIME_TO_SETTLE.dividedBy(10)); // the first calls load classes
        return made;
    }

    @Override
    public void close() {
        if (victimGroup != null) {
            victimGroup.close();
            victimGroup = null;
        }
    }
}
