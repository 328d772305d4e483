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
                    closed(Origin.STRANGER, "port-rubbish", Wiring.SHARED_MEMORY, 500));

    private static Way open(Origin origin, String attacker, Wiring wiring, int share) {
        return new Way(origin, attacker, wiring, share, false);
    }

    private static Way closed(Origin origin, String attacker, Wiring wiring, int share) {
        return new Way(origin, attacker, wiring, share, true);
    }

    /** {@return such as {@code member/mutations}} */
    String name() {
        return origin.text() + "/" + attacker;
    }

    /** {@return how many of all inputs take this way} */
    long inputs(long all) {
        return Math.max(1, Math.round((double) all * share / SHARES));
    }
}
