package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.ProcessSnapshot.Status;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Linux: memory in {@code /dev/shm}, and what the kernel tells in {@code /proc}. */
final class LinuxSystem implements OperatingSystem {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final String INITIAL_PIDS = "4026531836"; // PROC_PID_INIT_INO of Linux
    private static final int MOST_BYTES = 2048; // of 52 numbers and a name of 64 letters at most
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

    /** Containers may share {@code /dev/shm} without sharing the numbers of processes. */
    @Override
    public String directorySuffix() {
        String pids = pidNamespace();
        return pids.equals(INITIAL_PIDS) ? "" : "-" + pids;
    }

    @Override
    public void prepare(DriverDirectory directory) {
        // the kernel tells hosts apart
    }

    /** The kernel's boot id, the name, and the namespace of process numbers. */
    @Override
    public HostIdentity host(DriverDirectory directory) {
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
        // Each worker looks at all others of its host, so this takes no more than it must.
        try (var file = new FileInputStream("/proc/" + pid + "/stat")) {
            byte[] bytes = new byte[MOST_BYTES];
            int length = file.readNBytes(bytes, 0, MOST_BYTES);
            return parse(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
        } catch (IOException _) {
            return new ProcessSnapshot(isAbsent(pid) ? Status.ENDED : Status.UNKNOWN, 0);
        }
    }

    // The command's name, in parentheses, may hold anything; the fields after it are numbers.
    private static ProcessSnapshot parse(String stat) {
        int field = stat.lastIndexOf(')') + 2;
        Status status =
                switch (stat.charAt(field)) {
                    case 'Z', 'X' -> Status.ENDED;
                    case 'T', 't' -> Status.STOPPED;
                    default -> Status.RUNNING;
                };
        if (status == Status.ENDED) {
            return new ProcessSnapshot(status, 0);
        }
        for (int i = 0; i < FIELDS_FROM_STATE_TO_START_TIME; i++) {
            field = stat.indexOf(' ', field) + 1;
        }
        return new ProcessSnapshot(
                status, Long.parseLong(stat, field, stat.indexOf(' ', field), 10));
    }

    /** Neither question takes a file descriptor. */
    private static boolean isAbsent(long pid) {
        return LibC.isAvailable()
                ? LibC.isNoProcess(pid)
                : Files.notExists(Path.of("/proc/" + pid));
    }

    @Override
    public ProcessIdentity self() {
        long pid = ProcessHandle.current().pid();
        return new ProcessIdentity(pid, look(pid).start());
    }
}
