package org.gradwire.backend.tensorpipe.seal;

import org.agrona.concurrent.NanoClock;
import org.gradwire.spi.crypto.Aead;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Opens the datagrams of one lane, each once. Those of the epoch before are opened for ten seconds
 * after the first one of the present epoch, since datagrams may overtake each other.
 *
 * <p>Nothing changes for a datagram that is not authentic. For one thread.
 */
public final class DatagramOpener {
    /**
     * Epochs after the present one that are tried: all datagrams of the others may be lost, at once
     * as many as sockets hold.
     */
    static final int MOST_AHEAD = 16;

    private static final long OVERLAP_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** An epoch and what was opened in it. */
    private record Opened(KeyEpoch epoch, ReplayWindow window) {
        Opened(KeyEpoch epoch) {
            this(epoch, new ReplayWindow());
        }
    }

    private final NanoClock clock;
    private final List<Opened> ahead = new ArrayList<>(MOST_AHEAD);
    private Opened current;
    private @Nullable Opened previous;
    private long currentSinceNanos;

    public DatagramOpener(PairSecret pair, Lane lane, NanoClock clock) {
        this.clock = clock;
        current = new Opened(pair.firstEpoch(lane, false));
    }

    /**
     * Open a datagram.
     *
     * @param offset where its header begins
     * @param length of the datagram
     * @return the length of its frames, written to the output; -1 when it is forged, was opened
     *     before, or is too old
     */
    public int open(byte[] received, int offset, int length, byte[] out, int outOffset) {
        int distance = (short) (DatagramSeal.epochAt(received, offset) - current.epoch.number());
        Opened opened = find(distance);
        int number = DatagramSeal.numberAt(received, offset);
        if (opened == null || !opened.window.permits(number)) {
            return -1;
        }
        int frames = open(opened.epoch, number, received, offset, length, out, outOffset);
        if (frames >= 0) {
            opened.window.add(number);
            advance(distance);
        }
        return frames;
    }

    private static int open(
            KeyEpoch epoch,
            int number,
            byte[] received,
            int offset,
            int length,
            byte[] out,
            int outOffset) {
        int header = DatagramSeal.HEADER_BYTES;
        return epoch.aead()
                .open(
                        number,
                        new Aead.Part(received, offset, header),
                        new Aead.Part(received, offset + header, length - header),
                        out,
                        outOffset);
    }

    private @Nullable Opened find(int distance) {
        if (distance == 0) {
            return current;
        }
        if (distance == -1) {
            return clock.nanoTime() - currentSinceNanos <= OVERLAP_NANOS ? previous : null;
        }
        if (distance < 0 || distance > MOST_AHEAD) {
            return null;
        }
        while (ahead.size() < distance) {
            KeyEpoch last = ahead.isEmpty() ? current.epoch : ahead.getLast().epoch;
            ahead.add(new Opened(last.next()));
        }
        return ahead.get(distance - 1);
    }

    private void advance(int distance) {
        for (int i = 0; i < distance; i++) {
            previous = current;
            current = ahead.removeFirst();
            currentSinceNanos = clock.nanoTime();
        }
    }
}
