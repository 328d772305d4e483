package org.gradwire.backend.tensorpipe.os;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A word in shared memory on which a poller sleeps until a writer to its log wakes it.
 *
 * <p>The word is {@link #AWAKE} or {@link #ASLEEP}. The sleeper sets it to {@code ASLEEP}, polls
 * its logs once more, and waits on it as a futex. A writer reads the word after its write to the
 * log and, if it is {@code ASLEEP}, sets it to {@code AWAKE} and wakes the sleeper. At least one of
 * the two sees the other's write, since each writes before a full fence and reads after it.
 *
 * <p>A sleeper that also waits for sockets cannot wait on a futex. It sets the word to {@link
 * #BESIDE_SOCKETS}; a ring then wakes a listener thread of the owner, which waits on a second word,
 * the count of rings.
 *
 * <p>While another thread polls the logs instead of the sleeper, the word is {@link #LENT} and is
 * not rung. That thread sets it to {@code ASLEEP} when it stops, and polls the logs once more; or
 * to {@link #LINGERING}, if it soon polls again: then only urgent writes wake the sleeper, which
 * otherwise polls again by itself.
 *
 * <p>One thread sleeps; any may ring.
 */
public final class Doorbell implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Doorbell.class.getPackageName());
    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int LENT = 2;
    private static final int BESIDE_SOCKETS = 3;
    private static final int LINGERING = 4;
    private static final long RINGS_OFFSET = 4;
    private static final long NOTE_OFFSET = 8;
    private static final int FILE_BYTES = 64;
    private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

    private final MemorySegment word;
    private final MemorySegment rings;
    private final MemorySegment time;
    private final MemorySegment listenersTime;
    private final @Nullable Path file;

    private Doorbell(MemorySegment word, MemorySegment time, @Nullable Path file) {
        this.word = word;
        rings = word.asSlice(RINGS_OFFSET, Integer.BYTES);
        this.time = time;
        listenersTime = Arena.ofAuto().allocate(time.byteSize(), time.byteSize() / 2);
        this.file = file;
    }

    /**
     * Create a doorbell as a file, which {@link #close} deletes.
     *
     * @param note a number for processes that open it
     */
    public static Doorbell create(Path file, int note) {
        try {
            Doorbell bell = map(file, StandardOpenOption.CREATE_NEW);
            bell.word.set(ValueLayout.JAVA_INT, NOTE_OFFSET, note);
            return bell;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Open another worker's doorbell; null if it does not exist or cannot be opened. */
    public static @Nullable Doorbell find(Path file) {
        if (!LibC.isAvailable()) {
            return null;
        }
        try {
            return map(file);
        } catch (NoSuchFileException _) {
            return null;
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0} is not rung, since it cannot be opened: {1}", file, e);
            return null;
        }
    }

    private static Doorbell map(Path file, StandardOpenOption... more) throws IOException {
        var options = new java.util.HashSet<StandardOpenOption>(java.util.List.of(more));
        boolean mine = !options.isEmpty();
        options.add(StandardOpenOption.READ);
        options.add(StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(file, options)) {
            // Arena.ofAuto: unmapped when unreachable, so a late ring is harmless.
            MemorySegment word =
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, FILE_BYTES, Arena.ofAuto());
            return new Doorbell(word, Arena.ofAuto().allocate(16, 8), mine ? file : null);
        }
    }

    /** {@return the note of its owner} */
    public int note() {
        return word.get(ValueLayout.JAVA_INT, NOTE_OFFSET);
    }

    /**
     * Announce that the owner is about to sleep, unless another thread polls instead. The owner
     * must poll once more afterwards.
     */
    public void arm() {
        WORD.compareAndSet(word, 0L, AWAKE, ASLEEP);
        VarHandle.fullFence();
    }

    /**
     * Announce that the owner is about to wait for sockets, from which the thread in {@link
     * #awaitRing} wakes it. The owner must poll once more afterwards. No other thread polls instead
     * of such an owner.
     */
    public void armBesideSockets() {
        WORD.setVolatile(word, 0L, BESIDE_SOCKETS);
        VarHandle.fullFence();
    }

    /** Announce that the owner does not sleep. */
    public void disarm() {
        if (!WORD.compareAndSet(word, 0L, ASLEEP, AWAKE)) {
            WORD.compareAndSet(word, 0L, BESIDE_SOCKETS, AWAKE);
        }
    }

    /** {@return the number of rings that woke the owner} */
    public int rings() {
        return (int) WORD.getVolatile(rings, 0L);
    }

    /** Wait until {@link #rings} differs from a number, or the time has passed. */
    public void awaitRing(int seen, long nanos) {
        Futex.sleep(rings, seen, nanos, listenersTime);
    }

    /** End the wait of the thread in {@link #awaitRing}. */
    public void endListening() {
        WORD.getAndAdd(rings, 0L, 1);
        Futex.wake(rings);
    }

    public boolean isArmed() {
        return isAsleep((int) WORD.getVolatile(word, 0L));
    }

    private static boolean isAsleep(int state) {
        return state == ASLEEP || state == BESIDE_SOCKETS;
    }

    /** Sleep, after {@link #arm}, until the bell rings or the time has passed. */
    public void sleep(long nanos) {
        Futex.sleep(word, ASLEEP, nanos, time);
    }

    /** Announce that the calling thread polls instead of the owner. */
    public void lend() {
        int now = (int) WORD.getVolatile(word, 0L);
        if (now != LENT) {
            WORD.compareAndSet(word, 0L, now, LENT);
        }
    }

    public boolean isLent() {
        return isLent((int) WORD.getVolatile(word, 0L));
    }

    private static boolean isLent(int state) {
        return state == LENT || state == LINGERING;
    }

    /**
     * Announce that the calling thread stops polling. It must poll once more afterwards, even if
     * another thread has stopped before, which may have left the last poll to this one.
     */
    public void endLending() {
        if (!WORD.compareAndSet(word, 0L, LENT, ASLEEP)) {
            WORD.compareAndSet(word, 0L, LINGERING, ASLEEP);
        }
        VarHandle.fullFence();
    }

    /**
     * Announce that the calling thread stops polling, and soon polls again. It must poll once more
     * afterwards.
     */
    public void linger() {
        int now = (int) WORD.getVolatile(word, 0L);
        if (now != LINGERING && now != BESIDE_SOCKETS) {
            WORD.compareAndSet(word, 0L, now, LINGERING);
        }
        VarHandle.fullFence();
    }

    /** Resume the polling of the owner after a thread that has not polled for long. */
    public void takeOver() {
        if (!WORD.compareAndSet(word, 0L, LENT, AWAKE)) {
            WORD.compareAndSet(word, 0L, LINGERING, AWAKE);
        }
    }

    /** Sleep while another thread polls, until the bell rings or the time has passed. */
    public void sleepWhileLent(long nanos) {
        int state = (int) WORD.getVolatile(word, 0L);
        if (isLent(state)) {
            Futex.sleep(word, state, nanos, time);
        }
    }

    /** Wake the owner if it sleeps; called after the write that the owner must see. */
    public void ring() {
        ring(true);
    }

    /** Wake the owner if it sleeps, unless the write is not urgent and another thread lingers. */
    public void ring(boolean isUrgent) {
        VarHandle.fullFence();
        int state = (int) WORD.getOpaque(word, 0L);
        boolean isLingering = state == LINGERING;
        if ((isAsleep(state) || (isLingering && isUrgent))
                && WORD.compareAndSet(word, 0L, state, AWAKE)) {
            WORD.getAndAdd(rings, 0L, 1);
            Futex.wake(state == BESIDE_SOCKETS ? rings : word);
        }
    }

    /** Delete the doorbell's file. Later rings are harmless. */
    @Override
    public void close() {
        if (file != null) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
