package org.gradwire.backend.tensorpipe;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The open TCP and UDP sockets of a process. */
final class OpenPorts {
    private static final List<String> TABLES = List.of("tcp", "tcp6", "udp", "udp6");
    private static final int INODE = 9;

    private OpenPorts() {}

    /** {@return a line for each socket: its protocol and its entry in the system's table} */
    static List<String> of(long pid) throws IOException {
        Set<String> sockets = sockets(pid);
        List<String> found = new ArrayList<>();
        for (String table : TABLES) {
            Path file = Path.of("/proc", "" + pid, "net", table);
            if (Files.exists(file)) {
                Files.readAllLines(file).stream()
                        .skip(1)
                        .filter(line -> sockets.contains(line.strip().split(" +", -1)[INODE]))
                        .forEach(line -> found.add(table + " " + line.strip()));
            }
        }
        return found;
    }

    private static Set<String> sockets(long pid) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> all =
                Files.newDirectoryStream(Path.of("/proc", "" + pid, "fd"))) {
            for (Path descriptor : all) {
                try {
                    String target = Files.readSymbolicLink(descriptor).toString();
                    if (target.startsWith("socket:[")) {
                        inodes.add(target.replaceAll("\\D", ""));
                    }
                } catch (NoSuchFileException _) {
                    // it was closed meanwhile
                }
            }
        }
        return inodes;
    }
}
