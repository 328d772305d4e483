package org.gradwire.backend.tensorpipe.driver;

import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.NanoClock;
import org.gradwire.backend.tensorpipe.seal.Lane;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/**
 * The pairs whose datagrams a driver seals and opens, as its workers hand them over. They stay when
 * a socket is closed, so that no number of a datagram is used again. Confined to the driver's
 * thread.
 */
final class SealedPairs {
    private static final long READ_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long FORGET_EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Path directory;
    private final NanoClock clock;
    private final Int2ObjectHashMap<SealedPair> byOwnSession = new Int2ObjectHashMap<>();
    private final Int2ObjectHashMap<SealedPair> byPeerSession = new Int2ObjectHashMap<>();
    private final Long2ObjectHashMap<SealedPair> byKeyId = new Long2ObjectHashMap<>();
    private long readNanos;
    private long forgottenNanos;

    SealedPairs(Path directory, NanoClock clock) {
        this.directory = directory;
        this.clock = clock;
        readNanos = clock.nanoTime() - READ_EVERY_NANOS;
        forgottenNanos = clock.nanoTime();
    }

    /** {@return the pair of a log that a worker of this driver writes; null when unknown} */
    @Nullable SealedPair writing(int session) {
        SealedPair known = byOwnSession.get(session);
        return known != null || !readNew() ? known : byOwnSession.get(session);
    }

    /** {@return the pair of a log that a worker of this driver reads; null when unknown} */
    @Nullable SealedPair reading(int session) {
        return byPeerSession.get(session); // known since its first datagram
    }

    /** {@return the pair whose peer seals with a key; null when unknown} */
    @Nullable SealedPair withKey(long keyId, Lane lane) {
        SealedPair known = byKeyId.get(keyId);
        if (known == null && readNew()) {
            known = byKeyId.get(keyId);
        }
        return known != null && known.keyId(lane) == keyId ? known : null;
    }

    long nanoTime() {
        return clock.nanoTime();
    }

    /** Take what workers have handed over, at most every ten milliseconds. */
    private boolean readNew() {
        long now = clock.nanoTime();
        if (now - readNanos < READ_EVERY_NANOS) {
            return false;
        }
        readNanos = now;
        forgetEnded(now);
        boolean isNew = false;
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(directory, PairHandover.PREFIX + "*")) {
            for (Path file : files) {
                PairHandover handover = PairHandover.take(file);
                if (handover != null) {
                    add(new SealedPair(handover, clock));
                    isNew = true;
                }
            }
        } catch (IOException | DirectoryIteratorException _) {
            // the directory is being deleted
        }
        return isNew;
    }

    private void add(SealedPair pair) {
        if (byOwnSession.containsKey(pair.ownSession())) {
            return; // handed over twice
        }
        byOwnSession.put(pair.ownSession(), pair);
        byPeerSession.put(pair.peerSession(), pair);
        byKeyId.put(pair.keyId(Lane.DATA), pair);
        byKeyId.put(pair.keyId(Lane.STATUS), pair);
    }

    private void forgetEnded(long nowNanos) {
        if (nowNanos - forgottenNanos >= FORGET_EVERY_NANOS) {
            forgottenNanos = nowNanos;
            forgetEnded(byOwnSession.values(), nowNanos);
            forgetEnded(byPeerSession.values(), nowNanos);
            forgetEnded(byKeyId.values(), nowNanos);
        }
    }

    private static void forgetEnded(Collection<SealedPair> pairs, long nowNanos) {
        pairs.removeIf(pair -> pair.hasEnded(nowNanos));
    }
}
