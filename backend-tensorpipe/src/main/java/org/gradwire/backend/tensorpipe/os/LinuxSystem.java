package org.gradwire.backend.tensorpipe.os;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Queries for Linux, from {@code /dev/shm} and {@code /proc}. */
final class LinuxSystem implements OperatingSystem {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final String INITIAL_PIDS = "4026531836"; // PROC_PID_INIT_INO of Linux
    private static final int MOST_BYTES = 2048; // 52 numbers and a name of at most 64 letters
    private static final int FIELDS_FROM_STATE_TO_START_TIME = 19;

    @Override
    public Path sharedMemory() {
        return SHARED_MEMORY;
    }

    @Override
    public String adviceForRoom() {
        return "give it more (mount -o remount,size=1g /dev/shm, docker run --shm-size=1g)";
    }

    @Override
    public String pidNamespace() {
        try {
            // pid:[4026531836]
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid"))
                    .toString()
                    .replaceAll("\\D", "");
        } catch (IOException _) {
            return "0";
        }
    }

    /** Distinguishes pid namespaces: containers may share {@code /dev/shm} but not process ids. */
    @Override
    public String directorySuffix() {
        String pids = pidNamespace();
        return pids.equals(INITIAL_PIDS) ? "" : "-" + pids;
    }

    @Override
    public void prepare(Path directory) {
        // nothing to do: the kernel identifies the host
    }

    /** The kernel's boot id, the host name, and the pid namespace. */
    @Override
    public HostIdentity host(Path directory) {
        try {
            String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            return new HostIdentity(boot + "/" + name + "/" + pidNamespace());
        } catch (IOException _) {
            return HostIdentity.stranger();
        }
    }

    @Override
    public ProcessSnapshot look(long pid) {
        // Each worker checks all others of its host, so this must be cheap.
        try (var file = new FileInputStream("/proc/" + pid + "/stat")) {
            byte[] bytes = new byte[MOST_BYTES];
            int length = file.readNBytes(bytes, 0, MOST_BYTES);
            return parse(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
        } catch (IOException _) {
            return new ProcessSnapshot(
                    isAbsent(pid) ? ProcessStatus.ENDED : ProcessStatus.UNKNOWN, 0);
        }
    }

    // The command's name, in parentheses, may contain any characters; numbers follow it.
    private static ProcessSnapshot parse(String stat) {
        int field = stat.lastIndexOf(')') + 2;
        ProcessStatus status =
                switch (stat.charAt(field)) {
                    case 'Z', 'X' -> ProcessStatus.ENDED;
                    case 'T', 't' -> ProcessStatus.STOPPED;
                    default -> ProcessStatus.RUNNING;
                };
        if (status == ProcessStatus.ENDED) {
            return new ProcessSnapshot(status, 0);
        }
        for (int i = 0; i < FIELDS_FROM_STATE_TO_START_TIME; i++) {
            field = stat.indexOf(' ', field) + 1;
        }
        return new ProcessSnapshot(
                status, Long.parseLong(stat, field, stat.indexOf(' ', field), 10));
    }

    /** Checks for the absence of a process without a file descriptor. */
    private static boolean isAbsent(long pid) {
        return LibC.isAvailable()
                ? Pidfd.isNoProcess(pid)
                : Files.notExists(Path.of("/proc/" + pid));
    }

    @Override
    public ProcessIdentity self() {
        long pid = ProcessHandle.current().pid();
        return new ProcessIdentity(pid, look(pid).start());
    }
}
