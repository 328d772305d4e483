package org.gradwire.attack.intruder;

import java.util.Map;

/** The attackers by name. */
final class Attackers {
    private static final Map<String, Attacker> ALL =
            Map.ofEntries(
                    Map.entry("mutations", new MemberAttack(MutatedRequests::new)),
                    Map.entry("port-rubbish", new PortRubbish()));

    private Attackers() {}

    static Attacker of(String name) {
        Attacker attacker = ALL.get(name);
        if (attacker == null) {
            throw new IllegalArgumentException(
                    "no attacker '%s'; there are %s".formatted(name, ALL.keySet()));
        }
        return attacker;
    }
}
