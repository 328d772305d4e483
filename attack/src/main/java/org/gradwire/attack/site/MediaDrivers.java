package org.gradwire.attack.site;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Finds running media drivers. */
final class MediaDrivers {
    private MediaDrivers() {}

    /** {@return the processes that have a directory among their arguments} */
    static List<Long> of(Path directory) {
        return ProcessHandle.allProcesses()
                .filter(process ->
                        Arrays.stream(process.info().arguments().orElse(new String[0]))
                                .anyMatch(argument -> argument.contains(directory.toString())))
                .map(ProcessHandle::pid)
                .toList();
    }
}
