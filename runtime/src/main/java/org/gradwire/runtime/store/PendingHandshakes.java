package org.gradwire.runtime.store;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The connections without a proof of the token and the certificate yet. Limits: {@value #MAX} in
 * total, {@value #MAX_PER_ADDRESS} of an address, {@value #MAX_LOOPBACK} of loopback, where a whole
 * group may start at once.
 *
 * <p>A new connection replaces the oldest one that has had {@link #GRACE_NANOS}, so that silent
 * connections hold no slot for long. While none has, the excess of one address is closed, and
 * connections above {@link #MAX} wait in the kernel. No address may take all slots, so one alone
 * cannot block the others. Confined to the acceptor's thread.
 */
final class PendingHandshakes {
    static final int MAX = 64;
    static final int MAX_PER_ADDRESS = 8;
    static final int MAX_LOOPBACK = 48;

    /** Time limit between the accept of a connection and its proof. */
    static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Time of a handshake if others need its slot. */
    static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int NETWORK_BYTES = 8; // of an IPv6 address; one host may have all of them

    /** The source of all loopback addresses. */
    static final String LOOPBACK = "loopback";

    private final Set<ServerHandshake> oldestFirst = new LinkedHashSet<>();

    /** {@return the addresses that share one limit with this one} */
    static String source(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return LOOPBACK;
        }
        return address instanceof Inet6Address
                ? HexFormat.of().formatHex(address.getAddress(), 0, NETWORK_BYTES)
                : address.getHostAddress();
    }

    /** {@return whether no connection may be accepted now} */
    boolean isFull(long now) {
        return oldestFirst.size() >= MAX && displaceable(Optional.empty(), now).isEmpty();
    }

    /**
     * Add a handshake, which may end an older one.
     *
     * @return false if there is no slot for it
     */
    boolean add(ServerHandshake handshake, long now) {
        String source = handshake.source();
        int max = source.equals(LOOPBACK) ? MAX_LOOPBACK : MAX_PER_ADDRESS;
        boolean crowded = ofSource(source) >= max;
        if (crowded || oldestFirst.size() >= MAX) {
            Optional<ServerHandshake> displaced =
                    displaceable(crowded ? Optional.of(source) : Optional.empty(), now);
            if (displaced.isEmpty()) {
                return false;
            }
            end(displaced.get());
        }
        return oldestFirst.add(handshake);
    }

    private long ofSource(String source) {
        return oldestFirst.stream().filter(each -> each.source().equals(source)).count();
    }

    private Optional<ServerHandshake> displaceable(Optional<String> source, long now) {
        return oldestFirst.stream()
                .filter(each -> source.isEmpty() || source.get().equals(each.source()))
                .findFirst()
                .filter(oldest -> now - oldest.startNanos() >= GRACE_NANOS);
    }

    /** Remove a handshake that has ended. */
    void remove(ServerHandshake handshake) {
        oldestFirst.remove(handshake);
    }

    private void end(ServerHandshake handshake) {
        oldestFirst.remove(handshake);
        handshake.close();
    }

    /** End the handshakes whose deadline has passed. */
    void endLate(long now) {
        List<ServerHandshake> late =
                oldestFirst.stream()
                        .takeWhile(each -> now - each.startNanos() >= DEADLINE_NANOS)
                        .toList();
        late.forEach(this::end);
    }

    void endAll() {
        List.copyOf(oldestFirst).forEach(this::end);
    }

    /**
     * {@return the time until the next deadline, or the next end of a grace when all slots are
     * taken}
     */
    long nanosToNextEnd(long now) {
        if (oldestFirst.isEmpty()) {
            return Long.MAX_VALUE;
        }
        long time = oldestFirst.size() >= MAX ? GRACE_NANOS : DEADLINE_NANOS;
        return Math.max(0, oldestFirst.iterator().next().startNanos() + time - now);
    }

    int size() {
        return oldestFirst.size();
    }
}
