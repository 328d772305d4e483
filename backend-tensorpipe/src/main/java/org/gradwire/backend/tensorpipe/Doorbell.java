package org.gradwire.backend.tensorpipe;

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
 * A word in shared memory on which a poller sleeps until another thread or process, having written
 * to its log, wakes it.
 *
 * <p>The word is {@link #AWAKE} or {@link #ASLEEP}. The sleeper sets it to {@code ASLEEP}, looks at
 * its logs once more, and waits on it as a futex. Whoever writes to the logs looks at the word
 * after that and, when it is {@code ASLEEP}, sets it to {@code AWAKE} and wakes the sleeper. One of
 * the two always sees what the other wrote, as each writes before a full fence and reads after it.
 *
 * <p>A sleeper that waits beside sockets too cannot wait on a futex. It sets the word to {@link
 * #BESIDE_SOCKETS}; then who rings wakes a thread of the owner that waits on another word, in which
 * all rings are counted.
 *
 * <p>While another thread looks at the logs in the sleeper's place the word is {@link #LENT}: then
 * nobody rings. That thread sets it to {@code ASLEEP} when it stops, and looks at the logs once
 * more.
 *
 * <p>One thread sleeps; any may ring.
 */
final class Doorbell implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Doorbell.class.getPackageName());
    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int LENT = 2;
    private static final int BESIDE_SOCKETS = 3;
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
     * Hang up a bell that others can find; {@link #close} takes it away.
     *
     * @param note a number that they can read on it
     */
    static Doorbell create(Path file, int note) {
        try {
            Doorbell bell = map(file, StandardOpenOption.CREATE_NEW);
            bell.word.set(ValueLayout.JAVA_INT, NOTE_OFFSET, note);
            return bell;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Find the bell of another; null when it has none, or when it cannot be opened now. */
    static @Nullable Doorbell find(Path file) {
        if (!LibC.isAvailable()) {
            return null;
        }
        try {
            return map(file);
        } catch (NoSuchFileException _) {
            return null;
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0} is not rung, for it cannot be opened: {1}", file, e);
            return null;
        }
    }

    private static Doorbell map(Path file, StandardOpenOption... more) throws IOException {
        var options = new java.util.HashSet<StandardOpenOption>(java.util.List.of(more));
        boolean mine = !options.isEmpty();
        options.add(StandardOpenOption.READ);
        options.add(StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(file, options)) {
            // Arena.ofAuto: unmapped when nobody can reach it any more, so a late ring is harmless.
            MemorySegment word =
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, FILE_BYTES, Arena.ofAuto());
            return new Doorbell(word, Arena.ofAuto().allocate(16, 8), mine ? file : null);
        }
    }

    /** {@return the number that its owner has written on it} */
    int note() {
        return word.get(ValueLayout.JAVA_INT, NOTE_OFFSET);
    }

    /**
     * Say that the owner is about to sleep, unless another thread looks in its place. It must look
     * for work once more after this.
     */
    void arm() {
        WORD.compareAndSet(word, 0L, AWAKE, ASLEEP);
        VarHandle.fullFence();
    }

    /**
     * Say that the owner is about to sleep where another thread, which hears the bell, wakes it. It
     * must look for work once more after this. Such an owner does not lend its work.
     */
    void armBesideSockets() {
        WORD.setVolatile(word, 0L, BESIDE_SOCKETS);
        VarHandle.fullFence();
    }

    /** Say that the owner does not sleep. */
    void disarm() {
        if (!WORD.compareAndSet(word, 0L, ASLEEP, AWAKE)) {
            WORD.compareAndSet(word, 0L, BESIDE_SOCKETS, AWAKE);
        }
    }

    /** {@return how often it has woken its owner} */
    int rings() {
        return (int) WORD.getVolatile(rings, 0L);
    }

    /** Wait until {@link #rings} is not this number any more, or the time is up. */
    void awaitRing(int seen, long nanos) {
        LibC.sleepOn(rings, seen, nanos, listenersTime);
    }

    /** End the wait of the thread that hears the bell. */
    void endListening() {
        WORD.getAndAdd(rings, 0L, 1);
        LibC.wake(rings);
    }

    boolean isArmed() {
        return isAsleep((int) WORD.getVolatile(word, 0L));
    }

    private static boolean isAsleep(int state) {
        return state == ASLEEP || state == BESIDE_SOCKETS;
    }

    /** Sleep, after {@link #arm}, until the bell rings or the time is up. */
    void sleep(long nanos) {
        LibC.sleepOn(word, ASLEEP, nanos, time);
    }

    /** The calling thread looks for work in the owner's place from now on. */
    void lend() {
        int now = (int) WORD.getVolatile(word, 0L);
        if (now != LENT) {
            WORD.compareAndSet(word, 0L, now, LENT);
        }
    }

    boolean isLent() {
        return (int) WORD.getVolatile(word, 0L) == LENT;
    }

    /**
     * Say that the calling thread looks no more. It must look once more after this, also when
     * another thread has said so before it: that one may have found this one looking.
     */
    void endLending() {
        WORD.compareAndSet(word, 0L, LENT, ASLEEP);
        VarHandle.fullFence();
    }

    /** The thread that looks in the owner's place has not done so for long: look oneself. */
    void takeOver() {
        WORD.compareAndSet(word, 0L, LENT, AWAKE);
    }

    /** Sleep while another thread looks, until the bell rings or the time is up. */
    void sleepWhileLent(long nanos) {
        LibC.sleepOn(word, LENT, nanos, time);
    }

    /** Wake the owner when it sleeps. To be called after the write that it shall see. */
    void ring() {
        VarHandle.fullFence();
        int state = (int) WORD.getOpaque(word, 0L);
        if (isAsleep(state) && WORD.compareAndSet(word, 0L, state, AWAKE)) {
            WORD.getAndAdd(rings, 0L, 1);
            LibC.wake(state == ASLEEP ? word : rings);
        }
    }

    /** Take the bell's file away. Rings go unheard from now on and do no harm. */
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
