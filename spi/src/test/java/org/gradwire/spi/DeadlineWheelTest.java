package org.gradwire.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

import org.gradwire.spi.DeadlineWheel.Timer;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** A timer fires once, never early, and at most a few ticks late. */
class DeadlineWheelTest {
    static final long TICK_NANOS = 1 << 20;
    static final long TURN_NANOS = 1024 * TICK_NANOS;

    @Property(tries = 300)
    void timersFireOnceNeverEarlyAndAtMostTwoTicksAfterTheAdvanceThatWasDue(
            @ForAll @Size(min = 1, max = 40)
                    List<@LongRange(min = 0, max = 5 * TURN_NANOS) Long> deadlines,
            @ForAll @LongRange(min = TICK_NANOS / 3, max = 3 * TURN_NANOS) long step,
            @ForAll long start) {
        var wheel = new DeadlineWheel(start);
        for (int i = 0; i < deadlines.size(); i++) {
            wheel.schedule(new Timer(i, 0), start + deadlines.get(i));
        }
        Map<Long, Long> firedAt = new HashMap<>();
        for (long now = 0; firedAt.size() < deadlines.size(); now += step) {
            assertTrue(now <= 5 * TURN_NANOS + step + 2 * TICK_NANOS, "a timer never fires");
            long at = now;
            int before = firedAt.size();
            int fired =
                    wheel.advance(
                            start + now,
                            timer -> {
                                assertEquals(null, firedAt.put(timer.id(), at), "twice");
                                return true;
                            });
            assertEquals(firedAt.size() - before, fired);
        }
        for (int i = 0; i < deadlines.size(); i++) {
            long late = Objects.requireNonNull(firedAt.get((long) i)) - deadlines.get(i);
            assertTrue(late > 0, "early by " + -late + " ns");
            assertTrue(late <= step + 2 * TICK_NANOS, "late by " + late + " ns, step " + step);
        }
    }

    @Property(tries = 200)
    void aTimerThatIsOverdueWhenItIsSetFiresAtTheNextTick(
            @ForAll @LongRange(min = 0, max = 4 * TURN_NANOS) long now,
            @ForAll @LongRange(min = 0, max = 8 * TURN_NANOS) long overdueBy) {
        var wheel = new DeadlineWheel(0);
        assertEquals(0, advance(wheel, now).size());
        wheel.schedule(new Timer(7, 0), now - overdueBy);
        assertEquals(List.of(7L), advance(wheel, now + 2 * TICK_NANOS));
    }

    @Test
    void oneAdvanceOverManyTurnsFiresEverythingThatIsDueAndNothingElse() {
        var wheel = new DeadlineWheel(0);
        for (int i = 0; i < 3000; i++) {
            wheel.schedule(new Timer(i, 0), i * 2L * TICK_NANOS);
        }
        List<Long> first = advance(wheel, 2 * TICK_NANOS * 2000 + TICK_NANOS);
        assertEquals(2001, first.size());
        assertTrue(first.stream().allMatch(id -> id <= 2000));
        assertEquals(999, advance(wheel, 2 * TICK_NANOS * 3000).size());
    }

    @Test
    void aCancelledTimerDoesNotFire() {
        var wheel = new DeadlineWheel(0);
        List<Timer> timers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            var timer = new Timer(i, 0);
            timers.add(timer);
            wheel.schedule(
                    timer, (i % 3) * TURN_NANOS + 5 * TICK_NANOS); // one slot, three revolutions
        }
        timers.stream().filter(timer -> timer.id() % 2 == 0).forEach(wheel::cancel);
        timers.stream().filter(timer -> timer.id() % 4 == 0).forEach(wheel::cancel);
        List<Long> fired = advance(wheel, 4 * TURN_NANOS);
        assertEquals(50, fired.size());
        assertTrue(fired.stream().allMatch(id -> id % 2 == 1));
        timers.forEach(wheel::cancel); // too late, and harmless
        assertEquals(List.of(), advance(wheel, 8 * TURN_NANOS));
    }

    @Property(tries = 5)
    void noTimerIsLostOrFiresTwiceWhileManyThreadsSetAndCancelThem(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 4) int threads) throws Exception {
        int each = 20_000;
        var wheel = new DeadlineWheel(System.nanoTime());
        var fired = new AtomicIntegerArray(threads * each);
        var deadlines = new long[threads * each];
        var cancelled = new boolean[threads * each];
        var running = new CountDownLatch(threads);
        for (int t = 0; t < threads; t++) {
            int first = t * each;
            var random = new Random(seed + t);
            Thread.ofPlatform()
                    .start(() -> {
                        for (int i = first; i < first + each; i++) {
                            var timer = new Timer(i, 0);
                            deadlines[i] =
                                    System.nanoTime() + random.nextLong(-1_000_000, 3_000_000);
                            wheel.schedule(timer, deadlines[i]);
                            if (random.nextInt(3) == 0) {
                                cancelled[i] = true;
                                wheel.cancel(timer);
                            }
                        }
                        running.countDown();
                    });
        }
        for (boolean last = false; !last; ) {
            last = running.getCount() == 0; // read first: all timers are set by then
            long at = System.nanoTime() + (last ? 20 * TICK_NANOS : 0);
            var _ =
                    wheel.advance(
                            at,
                            timer -> {
                                fired.incrementAndGet((int) timer.id());
                                assertTrue(
                                        at > deadlines[(int) timer.id()], "fired before its time");
                                return true;
                            });
        }
        for (int i = 0; i < threads * each; i++) {
            int times = fired.get(i);
            // A timer may have fired before it was cancelled.
            assertTrue(cancelled[i] ? times <= 1 : times == 1, "timer " + i + " fired " + times);
        }
    }

    private static List<Long> advance(DeadlineWheel wheel, long now) {
        List<Long> fired = new ArrayList<>();
        int count = wheel.advance(now, timer -> fired.add(timer.id()));
        assertEquals(fired.size(), count);
        return fired;
    }
}
