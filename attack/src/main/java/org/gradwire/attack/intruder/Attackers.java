package org.gradwire.attack.intruder;

import java.util.Map;

/** The attackers by name. */
final class Attackers {
    private static final Map<String, Attacker> ALL =
            Map.ofEntries(
                    Map.entry("mutations", new MemberAttack(MutatedRequests::new)),
                    Map.entry("names", new MemberAttack(HostileNames::new)),
                    Map.entry("values", new MemberAttack(HostileValues::new)),
                    Map.entry("collisions", new MemberAttack(CollidingKeys::new)),
                    Map.entry("amplification", new MemberAttack(Amplification::new)),
                    Map.entry("control", new MemberAttack(ControlMessages::new)),
                    Map.entry("frames", new HostileFrames()),
                    Map.entry("tensor-files", new TensorFiles()),
                    Map.entry(Intruder.JOINER, new HonestJoiner()),
                    Map.entry("port-rubbish", new TcpPortFuzzer()),
                    Map.entry("held-connections", new HeldConnections()),
                    Map.entry("replayed-handshakes", new HandshakeReplay()),
                    Map.entry("wrong-token", new WrongToken()),
                    Map.entry("udp-rubbish", new UdpPortFuzzer()),
                    Map.entry("files", new ForeignFiles()));

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
