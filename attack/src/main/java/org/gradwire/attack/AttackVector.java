package org.gradwire.attack;

import org.gradwire.attack.site.Origin;
import org.gradwire.attack.site.Wiring;

import java.util.List;

/**
 * An attack vector: an attacker at an origin.
 *
 * @param origin position of the attacker
 * @param attacker name of the attacker
 * @param wiring transport of the attacked group
 * @param share share of all inputs, in ten-thousandths
 * @param isClosed whether the victim must not serve any input
 */
record AttackVector(Origin origin, String attacker, Wiring wiring, int share, boolean isClosed) {
    private static final int SHARES = 10_000;

    /** All attack vectors, grouped by wiring. */
    static final List<AttackVector> ALL =
            List.of(
                    open(Origin.MEMBER, "mutations", Wiring.SHARED_MEMORY, 2_000),
                    open(Origin.MEMBER, "values", Wiring.SHARED_MEMORY, 500),
                    open(Origin.MEMBER, "control", Wiring.SHARED_MEMORY, 1_000),
                    open(Origin.MEMBER, "names", Wiring.SHARED_MEMORY, 500),
                    open(Origin.MEMBER, "frames", Wiring.SHARED_MEMORY, 500),
                    open(Origin.MEMBER, "tensor-files", Wiring.SHARED_MEMORY, 1_000),
                    open(Origin.MEMBER, "collisions", Wiring.SHARED_MEMORY, 10),
                    open(Origin.MEMBER, "amplification", Wiring.SHARED_MEMORY, 10),
                    closed(Origin.STRANGER, "port-rubbish", Wiring.SHARED_MEMORY, 500),
                    closed(Origin.STRANGER, "replayed-handshakes", Wiring.SHARED_MEMORY, 100),
                    closed(Origin.STRANGER, "held-connections", Wiring.SHARED_MEMORY, 1_000),
                    closed(Origin.STRANGER, "wrong-token", Wiring.SHARED_MEMORY, 1),
                    closed(Origin.OTHER_USER, "files", Wiring.SHARED_MEMORY, 200),
                    closed(Origin.OTHER_USER, "port-rubbish", Wiring.SHARED_MEMORY, 100),
                    closed(Origin.OTHER_USER, "wrong-token", Wiring.SHARED_MEMORY, 1),
                    open(Origin.MEMBER, "mutations", Wiring.UDP, 500),
                    closed(Origin.STRANGER, "udp-rubbish", Wiring.UDP, 1_000),
                    closed(Origin.STRANGER, "port-rubbish", Wiring.UDP, 200),
                    closed(Origin.STRANGER, "held-connections", Wiring.UDP, 700),
                    open(Origin.OPERATOR, "rotation", Wiring.CERTIFICATES, 6),
                    open(Origin.OPERATOR, "revocation", Wiring.CERTIFICATES, 2),
                    closed(Origin.STRANGER, "udp-rubbish", Wiring.CERTIFICATES, 100),
                    closed(Origin.STRANGER, "port-rubbish", Wiring.CERTIFICATES, 100),
                    open(Origin.MEMBER, "mutations", Wiring.NETTY, 200),
                    closed(Origin.STRANGER, "port-rubbish", Wiring.NETTY, 300),
                    closed(Origin.STRANGER, "held-connections", Wiring.NETTY, 300),
                    closed(Origin.STRANGER, "wrong-token", Wiring.NETTY, 1),
                    open(Origin.MEMBER, "mutations", Wiring.NETTY_TLS, 50),
                    closed(Origin.STRANGER, "port-rubbish", Wiring.NETTY_TLS, 100),
                    open(Origin.REMOTE_MEMBER, "mutations", Wiring.TWO_HOSTS, 100),
                    open(Origin.REMOTE_MEMBER, "names", Wiring.TWO_HOSTS, 50),
                    closed(Origin.REMOTE_STRANGER, "udp-rubbish", Wiring.TWO_HOSTS, 200),
                    closed(Origin.REMOTE_STRANGER, "port-rubbish", Wiring.TWO_HOSTS, 100),
                    closed(Origin.REMOTE_STRANGER, "wrong-token", Wiring.TWO_HOSTS, 1));

    private static AttackVector open(Origin origin, String attacker, Wiring wiring, int share) {
        return new AttackVector(origin, attacker, wiring, share, false);
    }

    private static AttackVector closed(Origin origin, String attacker, Wiring wiring, int share) {
        return new AttackVector(origin, attacker, wiring, share, true);
    }

    /** {@return the name, such as {@code member/mutations} or {@code member/mutations/udp}} */
    String name() {
        String suffix =
                switch (wiring) {
                    case UDP -> "/udp";
                    case CERTIFICATES -> isOperator() ? "" : "/certificates";
                    case NETTY -> "/netty";
                    case NETTY_TLS -> "/netty-tls";
                    case SHARED_MEMORY, TWO_HOSTS -> "";
                };
        return origin.text() + "/" + attacker + suffix;
    }

    /** {@return whether an operator changes the files of the group, without an attack} */
    boolean isOperator() {
        return origin == Origin.OPERATOR;
    }

    /** {@return the number of inputs for this vector} */
    long inputs(long all) {
        return Math.max(1, Math.round((double) all * share / SHARES));
    }
}
