package org.gradwire.attack.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the ports of processes from the kernel. */
final class Ports {
    private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)]");
    private static final Pattern COLUMNS = Pattern.compile("\\s+");
    private static final String LISTENING = "0A";
    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;

    private Ports() {}

    /** {@return the TCP ports at which a process listens} */
    static List<Integer> tcp(long pid) throws IOException {
        return ports(pid, "tcp", LISTENING);
    }

    /** {@return the UDP ports of a process} */
    static List<Integer> udp(long pid) throws IOException {
        return ports(pid, "udp", "07");
    }

    private static List<Integer> ports(long pid, String protocol, String state) throws IOException {
        Set<String> own = sockets(pid);
        List<Integer> ports = new ArrayList<>();
        for (String table : List.of(protocol, protocol + "6")) {
            Path file = Path.of("/proc", Long.toString(pid), "net", table);
            for (String line : Files.readAllLines(file)) {
                String[] columns = COLUMNS.split(line.strip(), -1);
                if (columns.length > INODE
                        && columns[STATE].equals(state)
                        && own.contains(columns[INODE])) {
                    String local = columns[LOCAL];
                    ports.add(Integer.parseInt(local.substring(local.indexOf(':') + 1), 16));
                }
            }
        }
        return ports;
    }

    private static Set<String> sockets(long pid) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (Stream<Path> links = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path link : links.toList()) {
                if (Files.isSymbolicLink(link)) {
                    Matcher socket = SOCKET.matcher(Files.readSymbolicLink(link).toString());
                    if (socket.matches()) {
                        inodes.add(socket.group(1));
                    }
                }
            }
        }
        return inodes;
    }
}
