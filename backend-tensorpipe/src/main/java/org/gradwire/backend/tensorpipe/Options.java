package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.Settings;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/**
 * The settings of one agent, read and checked.
 *
 * @param directory of the driver, empty for the default
 * @param termLength of shared-memory logs; see {@link #ipcTermLength}
 * @param host to bind and advertise, empty for the default
 * @param token of authentication, empty for none
 * @param datagramBytes the most of UDP
 * @param tcp whether large buffers of peers over UDP are read over TCP
 */
record Options(
        boolean embedded,
        String directory,
        boolean forceUdp,
        int termLength,
        int udpTermLength,
        int datagramBytes,
        String host,
        IdleMode idle,
        long livenessNanos,
        long connectTimeoutNanos,
        long sendQueueBytes,
        long maxMessageBytes,
        long receiveBytes,
        Token token,
        boolean singleCopy,
        boolean tcp) {

    private static final int AUTO = 0;
    // A container has 64 MiB of /dev/shm when nothing is said: enough for four workers at full
    // size.
    private static final long SMALL_PLACE = 256L * 1024 * 1024;
    private static final int SMALL_PLACE_TERM = 1024 * 1024;
    private static final int LARGE_PLACE_TERM = 2 * 1024 * 1024;
    private static final long MOST_FOR_LOGS = 1L << 30;
    private static final long MIN_TERM = 64 * 1024;
    private static final long MAX_TERM = 1L << 30;
    private static final int MIN_MTU = 1408;
    private static final int MAX_MTU = 65504;
    private static final int FRAME_ALIGNMENT = 32;
    private static final long MAX_MESSAGE = 1L << 31;
    private static final Duration LEAST_TIME = Duration.ofMillis(100);
    private static final int MESSAGES_PER_TERM = 8;

    /** How the poller waits. */
    enum IdleMode {
        ADAPTIVE,
        SPIN,
        PARK
    }

    /** Read the settings. */
    static Options read(Settings settings) {
        int udpTermLength = term(settings, Keys.UDP_TERM_LENGTH);
        return new Options(
                settings.choice(Keys.DRIVER, List.of("shared", "embedded")).equals("embedded"),
                settings.find(Keys.DIRECTORY).orElse("").strip(),
                settings.choice(Keys.TRANSPORT, List.of("auto", "udp")).equals("udp"),
                settings.text(Keys.TERM_LENGTH).equals("auto")
                        ? AUTO
                        : term(settings, Keys.TERM_LENGTH),
                udpTermLength,
                mtu(settings, udpTermLength),
                host(settings),
                idle(settings),
                nanos(settings, Keys.LIVENESS),
                nanos(settings, Keys.CONNECT_TIMEOUT),
                bytes(settings, Keys.SEND_QUEUE_BYTES, Long.MAX_VALUE),
                bytes(settings, Keys.MAX_MESSAGE_BYTES, MAX_MESSAGE),
                bytes(settings, Keys.RECEIVE_BYTES, Long.MAX_VALUE),
                new Token(settings.find(Settings.AUTHENTICATION_TOKEN).orElse("")),
                settings.choice(Keys.SINGLE_COPY, List.of("auto", "off")).equals("auto"),
                settings.choice(Keys.TCP, List.of("auto", "off")).equals("auto"));
    }

    /**
     * {@return the term of a shared-memory log, for a place of this size in all, and so many
     * workers that each have a log to each other}
     */
    int ipcTermLength(long placeBytes, int workers) {
        if (termLength != AUTO) {
            return termLength;
        }
        long logs = Math.multiplyExact((long) workers, workers - 1);
        long most = Math.min(MOST_FOR_LOGS, placeBytes / 4 * 3);
        int term = placeBytes < SMALL_PLACE ? SMALL_PLACE_TERM : LARGE_PLACE_TERM;
        while (term > MIN_TERM && logs * SharedMemory.logBytes(term) > most) {
            term /= 2;
        }
        return term;
    }

    /** {@return the largest frame of a shared-memory log: Aeron wants eight in a term} */
    static int ipcMtu(int termLength) {
        int mtu = Math.min(MAX_MTU, termLength / MESSAGES_PER_TERM);
        return mtu - mtu % FRAME_ALIGNMENT;
    }

    /** {@return the bytes that Aeron sends over UDP at once: as many datagrams as it permits} */
    int udpMtu() {
        int most = mostUdpMtu(udpTermLength);
        return most - most % datagramBytes;
    }

    private static int mostUdpMtu(int termLength) {
        return Math.min(MAX_MTU, termLength / MESSAGES_PER_TERM);
    }

    private static String host(Settings settings) {
        String host = settings.find(Keys.HOST).orElse("").strip();
        if (isAnyLocal(host)) {
            throw settings.wrong(
                    Keys.HOST,
                    "one address of this host that its peers can connect to, such as 10.0.0.5; leave it out for the address of the default route");
        }
        return host;
    }

    private static boolean isAnyLocal(String host) {
        try {
            return InetAddress.ofLiteral(host).isAnyLocalAddress();
        } catch (IllegalArgumentException _) {
            return false; // a name
        }
    }

    private static IdleMode idle(Settings settings) {
        return switch (settings.choice(Keys.IDLE, List.of("adaptive", "spin", "park"))) {
            case "spin" -> IdleMode.SPIN;
            case "park" -> IdleMode.PARK;
            default -> IdleMode.ADAPTIVE;
        };
    }

    private static int term(Settings settings, String key) {
        long length = settings.bytes(key);
        if (length < MIN_TERM || length > MAX_TERM || Long.bitCount(length) != 1) {
            throw settings.wrong(key, "a power of two from 64k to 1g");
        }
        return (int) length;
    }

    private static int mtu(Settings settings, int termLength) {
        long mtu = settings.bytes(Keys.MTU);
        int most = mostUdpMtu(termLength);
        if (mtu < MIN_MTU || mtu > most || mtu % FRAME_ALIGNMENT != 0) {
            throw settings.wrong(
                    Keys.MTU,
                    "a multiple of %d from %d to %d (an eighth of %s, at most %d)"
                            .formatted(
                                    FRAME_ALIGNMENT, MIN_MTU, most, Keys.UDP_TERM_LENGTH, MAX_MTU));
        }
        return (int) mtu;
    }

    private static long nanos(Settings settings, String key) {
        return settings.duration(key, LEAST_TIME).toNanos();
    }

    private static long bytes(Settings settings, String key, long most) {
        long bytes = settings.bytes(key);
        if (bytes < 1 || bytes > most) {
            throw settings.wrong(
                    key, "a size from 1" + (most == MAX_MESSAGE ? " to 2g" : " upwards"));
        }
        return bytes;
    }
}
