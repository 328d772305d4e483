package org.gradwire.attack;

import org.gradwire.attack.site.Origin;
import org.gradwire.attack.site.Wiring;

import java.util.List;

/**
 * A way in: an attacker at a place.
 *
 * @param origin where the attacker stands
 * @param attacker its name
 * @param wiring how the attacked group is wired
 * @param share of all inputs, in ten thousandths
 * @param isClosed whether no input at all may be served
 */
record Way(Origin origin, String attacker, Wiring wiring, int share, boolean isClosed) {
    private static final int SHARES = 10_000;

    /** All ways in, those of one wiring together. */
    static final List<Way> ALL =
            List.of(
                    open(Origin.MEMBER, "mutations", Wiring.SHARED_MEMORY, 3_000),
                    open(Origin.MEMBER, "values", Wiring.SHARED_MEMORY, 500),
                    open(Origin.MEMBER, "control", Wiring.SHARED_MEMORY, 1_000),
                    open(Origin.MEMBER, "names", Wiring.SHARED_MEMORY, 500),
                    open(Origin.MEMBER, "frames", Wiring.SHARED_MEMORY, 500),
                    open(Origin.MEMBER, "tensor-files", Wiring.SHARED_MEMORY, 1_000),
                    open(Origin.MEMBER, "collisions", Wiring.SHARED_MEMORY, 10),
                    open(Origin.MEMBER, "amplification", Wiring.SHARED_MEMORY, 10),
                    closed(Origin.STRANGER, "port-rubbish", Wiring.SHARED_MEMORY, 500),
                    closed(Origin.STRANGER, "replayed-greetings", Wiring.SHARED_MEMORY, 100),
                    closed(Origin.STRANGER, "held-connections", Wiring.SHARED_MEMORY, 1_000),
                    closed(Origin.STRANGER, "wrong-token", Wiring.SHARED_MEMORY, 1),
                    closed(Origin.OTHER_USER, "files", Wiring.SHARED_MEMORY, 200),
                    closed(Origin.OTHER_USER, "port-rubbish", Wiring.SHARED_MEMORY, 100),
                    closed(Origin.OTHER_USER, "wrong-token", Wiring.SHARED_MEMORY, 1),
                    open(Origin.MEMBER, "mutations", Wiring.UDP, 500),
                    closed(Origin.STRANGER, "udp-rubbish", Wiring.UDP, 1_000),
                    closed(Origin.STRANGER, "port-rubbish", Wiring.UDP, 200),
                    closed(Origin.STRANGER, "held-connections", Wiring.UDP, 700),
                    open(Origin.REMOTE_MEMBER, "mutations", Wiring.TWO_HOSTS, 100),
                    open(Origin.REMOTE_MEMBER, "names", Wiring.TWO_HOSTS, 50),
                    closed(Origin.REMOTE_STRANGER, "udp-rubbish", Wiring.TWO_HOSTS, 200),
                    closed(Origin.REMOTE_STRANGER, "port-rubbish", Wiring.TWO_HOSTS, 100),
                    closed(Origin.REMOTE_STRANGER, "wrong-token", Wiring.TWO_HOSTS, 1));

    private static Way open(Origin origin, String attacker, Wiring wiring, int share) {
        return new Way(origin, attacker, wiring, share, false);
    }

    private static Way closed(Origin origin, String attacker, Wiring wiring, int share) {
        return new Way(origin, attacker, wiring, share, true);
    }

    /** {@return such as {@code member/mutations} or {@code member/mutations/udp}} */
    String name() {
        return origin.text() + "/" + attacker + (wiring == Wiring.UDP ? "/udp" : "");
    }

    /** {@return how many of all inputs take this way} */
    long inputs(long all) {
        return Math.max(1, Math.round((double) all * share / SHARES));
    }
}
