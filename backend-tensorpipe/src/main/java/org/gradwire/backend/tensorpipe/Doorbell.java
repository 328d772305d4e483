package org.gradwire.backend.tensorpipe;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
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
 * <p>While another thread looks at the logs in the sleeper's place the word is {@link #LENT}: then
 * nobody rings. That thread sets it to {@code ASLEEP} when it stops, and looks at the logs once
 * more.
 *
 * <p>One thread sleeps; any may ring.
 */
final class Doorbell implements AutoCloseable {
    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int LENT = 2;
    private static final int FILE_BYTES = 64;
    private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

    private final MemorySegment word;
    private final MemorySegment time;
    private final @Nullable Path file;

    private Doorbell(MemorySegment word, MemorySegment time, @Nullable Path file) {
        this.word = word;
        this.time = time;
        this.file = file;
    }

    /** Hang up a bell that others can find; {@link #close} takes it away. */
    static Doorbell create(Path file) {
        return map(file, StandardOpenOption.CREATE_NEW);
    }

    /** Find the bell of another; null when it has none. */
    static @Nullable Doorbell find(Path file) {
        try {
            return LibC.isAvailable() && Files.exists(file) ? map(file) : null;
        } catch (UncheckedIOException _) {
            return null; // it has just gone
        }
    }

    private static Doorbell map(Path file, StandardOpenOption... more) {
        var options = new java.util.HashSet<StandardOpenOption>(java.util.List.of(more));
        boolean mine = !options.isEmpty();
        options.add(StandardOpenOption.READ);
        options.add(StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(file, options)) {
            // Arena.ofAuto: unmapped when nobody can reach it any more, so a late ring is harmless.
            MemorySegment word =
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, FILE_BYTES, Arena.ofAuto());
            return new Doorbell(word, Arena.ofAuto().allocate(16, 8), mine ? file : null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Say that the owner is about to sleep, unless another thread looks in its place. It must look
     * for work once more after this.
     */
    void arm() {
        WORD.compareAndSet(word, 0L, AWAKE, ASLEEP);
        VarHandle.fullFence();
    }

    /** Say that the owner does not sleep. */
    void disarm() {
        WORD.compareAndSet(word, 0L, ASLEEP, AWAKE);
    }

    boolean isArmed() {
        return (int) WORD.getVolatile(word, 0L) == ASLEEP;
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
        if ((int) WORD.getOpaque(word, 0L) == ASLEEP
                && WORD.compareAndSet(word, 0L, ASLEEP, AWAKE)) {
            LibC.wake(word);
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
