package org.gradwire.backend.tensorpipe.driver;

import io.aeron.protocol.SetupFlyweight;

import org.agrona.collections.Int2ObjectHashMap;
import org.gradwire.backend.tensorpipe.address.ExpectedSources;
import org.gradwire.backend.tensorpipe.address.HostAddress;
import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Filters the frames that arrive at the UDP socket of one worker: accepts sessions from expected
 * hosts, each from the address and port of its setup frame.
 *
 * <p>Aeron creates a log for each setup frame. A setup frame must therefore come from a host with a
 * peer of the worker, request terms no longer than the worker's own logs, and stay within a limit
 * for its host. Confined to the driver's thread.
 */
final class SourceFilter {
    /**
     * Sessions of a host in addition to two for each peer there, for example of restarted workers.
     */
    static final int SPARE_SESSIONS = 16;

    private static final int SESSIONS_PER_WORKER = 2;
    private static final int LEAST_TERM = 64 * 1024;
    private static final int LEAST_MTU = 1376;
    private static final int MOST_MTU = 65_504;
    private static final int FRAMES_PER_TERM = 8;
    private static final int FRAME_ALIGNMENT = 32;
    private static final long READ_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** A session and its source. */
    private static final class Session {
        private final InetSocketAddress source;
        private final InetAddress host;
        private long lastNanos;

        Session(InetSocketAddress source, InetAddress host, long nowNanos) {
            this.source = source;
            this.host = host;
            lastNanos = nowNanos;
        }
    }

    private final Supplier<@Nullable ExpectedSources> reader;
    private final long silenceNanos;
    private final Int2ObjectHashMap<Session> sessions = new Int2ObjectHashMap<>();
    private @Nullable ExpectedSources expected;
    private long readNanos;

    /**
     * Create a filter without sessions.
     *
     * @param reader supplies the sources that the worker expects; null while it expects none
     * @param silenceNanos silence after which the log of a session has ended
     */
    SourceFilter(Supplier<@Nullable ExpectedSources> reader, long silenceNanos) {
        this.reader = reader;
        this.silenceNanos = silenceNanos;
    }

    /** {@return whether a setup frame may begin or continue a session} */
    boolean acceptsSetup(SetupFlyweight setup, InetSocketAddress source, long nowNanos) {
        Session known = sessions.get(setup.sessionId());
        if (known != null && nowNanos - known.lastNanos <= silenceNanos) {
            return isSound(setup) && isFrom(known, source, nowNanos);
        }
        InetAddress host = HostAddress.of(source.getAddress());
        int workers = workersAt(host, nowNanos);
        if (workers == 0 || !isSound(setup) || !hasRoom(host, workers, nowNanos)) {
            return false;
        }
        sessions.put(setup.sessionId(), new Session(source, host, nowNanos));
        return true;
    }

    /** {@return whether a frame belongs to a known session and comes from its source} */
    boolean accepts(int stream, int session, InetSocketAddress source, long nowNanos) {
        Session known = sessions.get(session);
        return known != null
                && expected != null
                && expected.stream() == stream
                && isFrom(known, source, nowNanos);
    }

    private static boolean isFrom(Session session, InetSocketAddress source, long nowNanos) {
        if (session.source.getPort() != source.getPort()
                || !session.source.getAddress().equals(source.getAddress())) {
            return false;
        }
        session.lastNanos = nowNanos;
        return true;
    }

    private boolean isSound(SetupFlyweight setup) {
        ExpectedSources known = expected;
        int term = setup.termLength();
        int mtu = setup.mtuLength();
        return known != null
                && setup.streamId() == known.stream()
                && term >= LEAST_TERM
                && term <= known.termLength()
                && mtu >= LEAST_MTU
                && mtu <= Math.min(MOST_MTU, term / FRAMES_PER_TERM)
                && mtu % FRAME_ALIGNMENT == 0;
    }

    /** Reads the expected sources again for a host that is not among them. */
    private int workersAt(InetAddress host, long nowNanos) {
        ExpectedSources known = expected;
        int workers = known == null ? 0 : known.workersAt(host);
        if (workers > 0 || (readNanos != 0 && nowNanos - readNanos < READ_EVERY_NANOS)) {
            return workers;
        }
        return read(nowNanos) ? workersAt(host, nowNanos) : 0;
    }

    private boolean read(long nowNanos) {
        readNanos = nowNanos;
        ExpectedSources read = reader.get();
        boolean isNew = read != null && !read.equals(expected);
        expected = read == null ? expected : read;
        return isNew;
    }

    /** Re-reads the worker's list if a host is at its limit: it may have more peers now. */
    private boolean hasRoom(InetAddress host, int workers, long nowNanos) {
        sessions.values().removeIf(session -> nowNanos - session.lastNanos > silenceNanos);
        int count = 0;
        for (Session session : sessions.values()) {
            count += session.host.equals(host) ? 1 : 0;
        }
        if (count < most(workers)) {
            return true;
        }
        boolean mayRead = nowNanos - readNanos >= READ_EVERY_NANOS;
        ExpectedSources known = mayRead && read(nowNanos) ? expected : null;
        return known != null && count < most(known.workersAt(host));
    }

    private static int most(int workers) {
        return workers * SESSIONS_PER_WORKER + SPARE_SESSIONS;
    }
}
