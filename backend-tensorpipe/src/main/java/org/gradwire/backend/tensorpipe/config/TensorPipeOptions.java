package org.gradwire.backend.tensorpipe.config;

import org.gradwire.backend.tensorpipe.auth.SharedSecret;
import org.gradwire.backend.tensorpipe.seal.DatagramSeal;
import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.Credentials;
import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/**
 * The checked settings of one agent.
 *
 * @param driverFlags of the JVM of a shared driver
 * @param directory of the driver, empty for the default
 * @param termLength of shared-memory logs; see {@link #ipcTermLength}
 * @param forceUdp whether all peers are reached over UDP, also those under the same driver
 * @param host to bind and advertise, empty for the default
 * @param sharedSecret of authentication, empty for none
 * @param datagramBytes the largest UDP datagram
 * @param singleCopy whether large buffers of peers in shared memory are read from their memory
 * @param tcp whether large buffers of peers over UDP are read over TCP
 * @param credentials of the worker; null when it has no certificate
 * @param encryption what is encrypted
 * @param rekeyBytes sealed with one key over UDP
 */
public record TensorPipeOptions(
        boolean embedded,
        List<String> driverFlags,
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
        SharedSecret sharedSecret,
        boolean singleCopy,
        boolean tcp,
        @Nullable Credentials credentials,
        Encryption encryption,
        long rekeyBytes) {

    private static final int AUTO = 0;
    // A container has 64 MiB of /dev/shm by default: enough for four workers at full size.
    private static final long SMALL_PLACE = 256L * 1024 * 1024;
    private static final int SMALL_PLACE_TERM = 1024 * 1024;
    private static final int LARGE_PLACE_TERM = 2 * 1024 * 1024;
    private static final int TERMS = 3;
    private static final long LOG_META_BYTES = 4096;
    private static final long MOST_FOR_LOGS = 1L << 30;
    private static final long MIN_TERM = 64 * 1024;
    private static final long MAX_TERM = 1L << 30;
    private static final int MIN_MTU = 1408;
    private static final int MAX_MTU = 65504;
    private static final int FRAME_ALIGNMENT = 32;
    private static final long MAX_MESSAGE = 1L << 31;
    private static final long LEAST_REKEY = 1024 * 1024;
    private static final long MOST_REKEY = 64L << 30;
    private static final Duration LEAST_TIME = Duration.ofMillis(100);
    private static final int MESSAGES_PER_TERM = 8;

    /** Idle strategy of the poller. */
    public enum IdleMode {
        ADAPTIVE,
        SPIN,
        PARK
    }

    /**
     * Read the settings.
     *
     * @param worker its name
     */
    public static TensorPipeOptions read(Settings settings, String worker) {
        Credentials credentials = Credentials.read(settings, worker);
        Encryption encryption = Encryption.read(settings, credentials != null);
        boolean mayShareMemory = encryption != Encryption.ALL;
        int udpTermLength = term(settings, SettingKeys.UDP_TERM_LENGTH);
        return new TensorPipeOptions(
                settings.choice(SettingKeys.DRIVER, List.of("shared", "embedded"))
                        .equals("embedded"),
                words(settings, SettingKeys.DRIVER_JVM_FLAGS),
                settings.find(SettingKeys.DIRECTORY).orElse("").strip(),
                isChosen(settings, SettingKeys.TRANSPORT, "udp") || !mayShareMemory,
                settings.text(SettingKeys.TERM_LENGTH).equals("auto")
                        ? AUTO
                        : term(settings, SettingKeys.TERM_LENGTH),
                udpTermLength,
                mtu(settings, udpTermLength),
                host(settings),
                idle(settings),
                nanos(settings, SettingKeys.LIVENESS),
                nanos(settings, SettingKeys.CONNECT_TIMEOUT),
                bytes(settings, SettingKeys.SEND_QUEUE_BYTES, Long.MAX_VALUE),
                bytes(settings, SettingKeys.MAX_MESSAGE_BYTES, MAX_MESSAGE),
                bytes(settings, SettingKeys.RECEIVE_BYTES, Long.MAX_VALUE),
                new SharedSecret(settings.find(Settings.AUTHENTICATION_TOKEN).orElse("")),
                !isChosen(settings, SettingKeys.SINGLE_COPY, "off") && mayShareMemory,
                !isChosen(settings, SettingKeys.TCP, "off"),
                credentials,
                encryption,
                rekeyBytes(settings));
    }

    private static List<String> words(Settings settings, String key) {
        String text = settings.find(key).orElse("").strip();
        return text.isEmpty() ? List.of() : List.of(text.split("\\s+"));
    }

    private static boolean isChosen(Settings settings, String key, String word) {
        return settings.choice(key, List.of("auto", word)).equals(word);
    }

    /**
     * {@return the term length of shared-memory logs}
     *
     * @param placeBytes size of the file system
     * @param workers number of workers, each with a log to each other
     */
    public int ipcTermLength(long placeBytes, int workers) {
        if (termLength != AUTO) {
            return termLength;
        }
        long logs = Math.multiplyExact((long) workers, workers - 1);
        long most = Math.min(MOST_FOR_LOGS, placeBytes / 4 * 3);
        int term = placeBytes < SMALL_PLACE ? SMALL_PLACE_TERM : LARGE_PLACE_TERM;
        while (term > MIN_TERM && logs * logBytes(term) > most) {
            term /= 2;
        }
        return term;
    }

    /** {@return the bytes of a log with a term length} */
    public static long logBytes(long termLength) {
        return TERMS * termLength + LOG_META_BYTES;
    }

    /** {@return the largest frame of a shared-memory log: Aeron requires eight per term} */
    public static int ipcMtu(int termLength) {
        int mtu = Math.min(MAX_MTU, termLength / MESSAGES_PER_TERM);
        return mtu - mtu % FRAME_ALIGNMENT;
    }

    /** {@return whether what goes over the network is encrypted} */
    public boolean isSealed() {
        return encryption.isSealed();
    }

    /** {@return the bytes of Aeron's frames in the largest datagram} */
    public int framesBytes() {
        return isSealed() ? datagramBytes - DatagramSeal.OVERHEAD : datagramBytes;
    }

    /** {@return the bytes that Aeron sends over UDP at once: as many datagrams as it permits} */
    public int udpMtu() {
        return mostUdpMtu(udpTermLength) / datagramBytes * framesBytes();
    }

    private static int mostUdpMtu(int termLength) {
        return Math.min(MAX_MTU, termLength / MESSAGES_PER_TERM);
    }

    private static String host(Settings settings) {
        String host = settings.find(SettingKeys.HOST).orElse("").strip();
        if (isAnyLocal(host)) {
            throw settings.wrong(
                    SettingKeys.HOST,
                    "one address of this host that its peers can connect to, such as 10.0.0.5; omit it for the address of the default route");
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
        return switch (settings.choice(SettingKeys.IDLE, List.of("adaptive", "spin", "park"))) {
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
        long mtu = settings.bytes(SettingKeys.MTU);
        int most = mostUdpMtu(termLength);
        if (mtu < MIN_MTU || mtu > most || mtu % FRAME_ALIGNMENT != 0) {
            throw settings.wrong(
                    SettingKeys.MTU,
                    "a multiple of %d from %d to %d (an eighth of %s, at most %d)"
                            .formatted(
                                    FRAME_ALIGNMENT,
                                    MIN_MTU,
                                    most,
                                    SettingKeys.UDP_TERM_LENGTH,
                                    MAX_MTU));
        }
        return (int) mtu;
    }

    private static long rekeyBytes(Settings settings) {
        long bytes = settings.bytes(SettingKeys.REKEY_BYTES);
        if (bytes < LEAST_REKEY || bytes > MOST_REKEY) {
            throw settings.wrong(SettingKeys.REKEY_BYTES, "a size from 1m to 64g");
        }
        return bytes;
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
