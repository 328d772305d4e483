package org.gradwire.attack.intruder;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The information that an attacker has about its victim.
 *
 * @param host address of the victim
 * @param storePort port of the group's store
 * @param tcpPorts ports at which the victim listens, with the store's
 * @param udpPorts ports of the victim's media driver
 * @param directory of the victim's media driver
 * @param victim process id of the victim
 * @param rank first rank with which the attacker may join
 * @param scratch folder shared by attacker and victim
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

    /** {@return this target as arguments of a process} */
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

    /** Parse the result of {@link #arguments}. */
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

    /** {@return the rendezvous, as a setting} */
    String rendezvous() {
        return "tcp://" + host + ":" + storePort;
    }

    /** {@return the name of the first member of an attack} */
    public static String nameOf(int rank) {
        return "intruder" + rank;
    }

    /** {@return the environment of a worker of this rank, without its token} */
    public static Map<String, String> environment(String name, int rank, String rendezvous) {
        return Map.of(
                "GRADWIRE_NAME", name,
                "GRADWIRE_RANK", Integer.toString(rank),
                "GRADWIRE_RENDEZVOUS", rendezvous);
    }
}
