package org.gradwire.backend.tensorpipe.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A doorbell that is rung while its owner sleeps, is awake, or another thread polls. */
@Timeout(60)
class DoorbellTest {
    private static final long FOREVER_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final int ROUNDS = 50_000;
    private static final int NOTE = 12_345;

    @TempDir private Path folder;
    private Doorbell bell;

    @BeforeEach
    void hangUp() {
        assumeTrue(LibC.isAvailable(), "no futexes here");
        bell = Doorbell.create(folder.resolve("bell"), NOTE);
    }

    @AfterEach
    void takeDown() {
        if (bell != null) {
            bell.close();
        }
    }

    @Test
    void itIsArmedUntilItRings() {
        assertFalse(bell.isArmed());
        bell.arm();
        assertTrue(bell.isArmed());
        bell.ring();
        assertFalse(bell.isArmed());
        bell.sleep(FOREVER_NANOS); // ends at once
    }

    @Test
    void aThreadOfTheOwnerHearsItWhileTheOwnerSleepsBesideSockets() throws InterruptedException {
        Doorbell peers = Objects.requireNonNull(Doorbell.find(folder.resolve("bell")));
        assertEquals(NOTE, peers.note());
        peers.ring();
        assertEquals(0, bell.rings(), "its owner is awake");
        bell.armBesideSockets();
        assertTrue(peers.isArmed());
        Thread listener =
                Thread.ofPlatform().daemon().start(() -> bell.awaitRing(0, FOREVER_NANOS));
        peers.ring();
        listener.join();
        assertEquals(1, bell.rings());
        assertFalse(bell.isArmed());
        peers.ring();
        assertEquals(1, bell.rings(), "its owner is awake");
        bell.armBesideSockets();
        bell.disarm();
        assertFalse(peers.isArmed());
    }

    @Test
    void nobodyRingsWhileAnotherThreadLooks() {
        bell.arm();
        bell.lend();
        bell.ring();
        assertTrue(bell.isLent());
        bell.endLending();
        assertTrue(bell.isArmed(), "its owner still sleeps");
        bell.ring();
        assertFalse(bell.isArmed());
        bell.endLending();
        assertFalse(bell.isArmed(), "it is no longer lent");
    }

    @Test
    void onlyUrgentWritesRingWhileAThreadLingers() {
        bell.arm();
        bell.lend();
        bell.linger();
        assertTrue(bell.isLent(), "no thread waits for the owner to poll");
        bell.ring(false);
        assertTrue(bell.isLent());
        bell.ring(true);
        assertFalse(bell.isLent());
        assertFalse(bell.isArmed(), "its owner is awake");

        bell.linger();
        bell.arm();
        assertTrue(bell.isLent(), "the owner does not sleep longer than while it is lent");
        bell.lend();
        bell.endLending();
        bell.ring(false);
        assertFalse(bell.isLent());
        assertFalse(bell.isArmed(), "each write rings for a sleeper");

        bell.linger();
        bell.takeOver();
        assertFalse(bell.isLent());
    }

    @Test
    void aSleeperBesideSocketsIsNotPassedOver() {
        bell.armBesideSockets();
        bell.linger();
        assertTrue(bell.isArmed());
    }

    @Test
    void theOwnerNeitherArmsNorDisarmsWhatIsLent() {
        bell.lend();
        bell.arm();
        assertTrue(bell.isLent());
        bell.disarm();
        assertTrue(bell.isLent());
        bell.takeOver();
        assertFalse(bell.isLent());
        assertFalse(bell.isArmed());
    }

    @Test
    void nothingIsMissedWhileThreadsComeAndGo() throws InterruptedException {
        var written = new AtomicInteger();
        var seen = new AtomicInteger();
        Thread owner = Thread.ofPlatform().daemon().start(() -> own(written, seen));
        Thread lender = Thread.ofPlatform().daemon().start(() -> lend(written, seen));
        Thread another = Thread.ofPlatform().daemon().start(() -> lend(written, seen));
        Doorbell peers = Objects.requireNonNull(Doorbell.find(folder.resolve("bell")));
        for (int i = 1; i <= ROUNDS; i++) {
            written.setRelease(i);
            peers.ring();
            while (seen.getAcquire() < i) {
                Thread.onSpinWait(); // never ends if the ring was missed
            }
        }
        owner.join();
        lender.join();
        another.join();
        assertEquals(ROUNDS, seen.get());
    }

    private void own(AtomicInteger written, AtomicInteger seen) {
        while (seen.get() < ROUNDS) {
            if (look(written, seen)) {
                continue;
            }
            if (bell.isLent()) {
                bell.sleepWhileLent(FOREVER_NANOS);
                continue;
            }
            bell.arm();
            if (!look(written, seen) && seen.get() < ROUNDS) {
                bell.sleep(FOREVER_NANOS);
            }
            bell.disarm();
        }
    }

    private void lend(AtomicInteger written, AtomicInteger seen) {
        for (int i = 0; seen.get() < ROUNDS; i++) {
            for (int turn = 0; turn < i % 50; turn++) {
                bell.lend();
                look(written, seen);
            }
            if (i % 3 == 0) {
                bell.linger();
            } else {
                bell.endLending();
            }
            look(written, seen);
        }
        bell.ring();
    }

    private static boolean look(AtomicInteger written, AtomicInteger seen) {
        int before = seen.get();
        int now = written.getAcquire();
        return now > before && seen.compareAndSet(before, now);
    }
}
