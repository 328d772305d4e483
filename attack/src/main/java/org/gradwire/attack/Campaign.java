package org.gradwire.attack;

import org.gradwire.attack.intruder.Count;
import org.gradwire.attack.site.Figures;
import org.gradwire.attack.site.Site;
import org.gradwire.attack.site.UnavailableException;
import org.gradwire.attack.site.Wiring;
import org.gradwire.attack.victim.FriendReport;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Tries one way in after the other. A group is attacked until it shows a fault; then the next way
 * gets a new one.
 */
final class Campaign implements AutoCloseable {
    private static final long LEAST_SECONDS = 30;
    private static final long SLOWEST_INPUTS_A_SECOND = 200;
    private static final Duration TIME_TO_SETTLE = Duration.ofSeconds(15);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);
    private static final FriendReport NO_REPORT = new FriendReport(0, 0, 0, 0, "");
    private static final Figures NO_FIGURES = new Figures(0, 0, 0, 0, 0, 0, 0);

    private final Options options;
    private final Path folder;
    private final long deadline;
    private @Nullable Site site;
    private @Nullable Wiring wiring;
    private int sites;

    Campaign(Options options, Path folder) {
        this.options = options;
        this.folder = folder;
        deadline = System.nanoTime() + options.time().toNanos();
    }

    /**
     * Try one way in.
     *
     * @throws UnavailableException when it cannot be tried here; the message says why
     * @throws IOException when the group does not start
     */
    Result run(Way way) throws IOException, InterruptedException {
        Site attacked = site(way.wiring());
        Figures before = attacked.figures();
        var _ = attacked.report();
        long begun = System.nanoTime();
        List<String> faults = new ArrayList<>();
        Count count = new Count(0, 0, 0, 0);
        try {
            count = attack(attacked, way);
        } catch (UnavailableException e) {
            throw e;
        } catch (IOException e) {
            faults.add("the attack did not end as it should: " + e.getMessage());
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        if (way.isClosed() && count.served() > 0) {
            faults.add(count.served() + " inputs were served");
        }
        Result result = look(attacked, way, count, before, seconds, faults);
        if (!result.faults().isEmpty()) {
            close();
        }
        return result;
    }

    private Count attack(Site attacked, Way way) throws IOException {
        long inputs = way.inputs(options.inputs());
        long left = Math.max(1, (deadline - System.nanoTime()) / 1_000_000_000);
        long seconds = Math.min(left, LEAST_SECONDS + inputs / SLOWEST_INPUTS_A_SECOND);
        return attacked.attack(
                way.attacker(),
                way.origin(),
                options.seed() + way.name().hashCode(),
                inputs,
                Duration.ofSeconds(seconds));
    }

    /** What the victim holds, once it holds no more than it may, or does so for too long. */
    private static Result look(
            Site attacked,
            Way way,
            Count count,
            Figures before,
            double seconds,
            List<String> faults)
            throws InterruptedException {
        FriendReport friend = NO_REPORT;
        Figures after = NO_FIGURES;
        try {
            long end = System.nanoTime() + TIME_TO_SETTLE.toNanos();
            after = attacked.figures();
            while (!after.beyondLimits(before).isEmpty() && System.nanoTime() - end < 0) {
                Thread.sleep(BETWEEN_LOOKS);
                after = attacked.figures();
            }
            friend = attacked.report();
            after.beyondLimits(before)
                    .forEach(
                            (name, growth) -> faults.add("%s grew by %,d".formatted(name, growth)));
            if (attacked.ranUnmarkedCode()) {
                faults.add("the victim ran code that is not marked");
            }
        } catch (IOException e) {
            faults.add("no answer: " + e.getMessage());
        }
        if (!way.isClosed()) {
            join(attacked, faults);
        }
        if (!attacked.isAlive()) {
            faults.add("the victim died");
        }
        if (friend.failures() > 0) {
            faults.add(
                    "%d of %d calls of the friend failed: %s"
                            .formatted(friend.failures(), friend.calls(), friend.firstFailure()));
        }
        if (friend.calls() == 0) {
            faults.add("no call of the friend ended");
        }
        return new Result(way, count, friend, before, after, seconds, faults);
    }

    private static void join(Site attacked, List<String> faults) {
        try {
            attacked.join();
        } catch (IOException e) {
            faults.add("a newcomer could not join: " + e.getMessage());
        }
    }

    private Site site(Wiring wanted) throws IOException, InterruptedException {
        Site present = site;
        if (present != null && wiring == wanted) {
            return present;
        }
        close();
        Site made = new Site(wanted, folder.resolve("site-" + sites++));
        site = made;
        wiring = wanted;
        Thread.sleep(TIME_TO_SETTLE.dividedBy(10)); // its first calls load classes
        return made;
    }

    @Override
    public void close() {
        if (site != null) {
            site.close();
            site = null;
        }
    }
}
