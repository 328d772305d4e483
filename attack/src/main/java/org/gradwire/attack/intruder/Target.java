package org.gradwire.attack.intruder;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What an attacker knows of its victim.
 *
 * @param host address of the victim
 * @param storePort where the group meets
 * @param tcpPorts at which the victim listens, the store's among them
 * @param udpPorts of the victim's side
 * @param directory of the victim's media driver
 * @param victim process number of the victim
 * @param rank the first of those that the attacker may join under
 * @param scratch a folder that attacker and victim see
 */
public record Target(
        String host,
        int storePort,
        List<Integer> tcpPorts,
        List<Integer> udpPorts,
        Path directory,
        long victim,
        int rank,
        Path scratch) {

    /** {@return this as arguments of a process} */
    public List<String> arguments() {
        return List.of(
                host,
                Integer.toString(storePort),
                join(tcpPorts),
                join(udpPorts),
                directory.toString(),
                Long.toString(victim),
                Integer.toString(rank),
                scratch.toString());
    }

    /** Read what {@link #arguments} wrote. */
    static Target parse(List<String> arguments) {
        return new Target(
                arguments.get(0),
                Integer.parseInt(arguments.get(1)),
                split(arguments.get(2)),
                split(arguments.get(3)),
                Path.of(arguments.get(4)),
                Long.parseLong(arguments.get(5)),
                Integer.parseInt(arguments.get(6)),
                Path.of(arguments.get(7)));
    }

    private static String join(List<Integer> ports) {
        return "ports" + String.join("", ports.stream().map(port -> "," + port).toList());
    }

    private static List<Integer> split(String ports) {
        return Arrays.stream(ports.split(",", -1)).skip(1).map(Integer::valueOf).toList();
    }

    /** {@return where the group meets, as a setting} */
    String rendezvous() {
        return "tcp://" + host + ":" + storePort;
    }

    /** {@return the environment of a worker of this rank, but for its token} */
    public static Map<String, String> environment(String name, int rank, String rendezvous) {
        return Map.of(
                "GRADWIRE_NAME", name,
                "GRADWIRE_RANK", Integer.toString(rank),
                "GRADWIRE_RENDEZVOUS", rendezvous);
    }
}
