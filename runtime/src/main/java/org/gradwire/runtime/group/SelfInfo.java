package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.spi.Settings;

import java.util.regex.Pattern;

/** Reads a worker's name and id from its settings. */
public final class SelfInfo {
    private static final Pattern NAME = Pattern.compile("^[A-Za-z0-9-_:]*$");
    private static final int MAX_NAME_LENGTH = 128;

    private SelfInfo() {}

    public static WorkerInfo read(Settings settings, int maxSize) {
        int rank = settings.integer(RuntimeSettings.RANK, 0, maxSize - 1);
        String name = settings.find(RuntimeSettings.NAME).orElse("worker" + rank);
        if (!isName(name)) {
            throw new RpcConfigurationException(
                    "Worker name must match %s, and must be non-empty and shorter than %d chars, but got %s"
                            .formatted(NAME, MAX_NAME_LENGTH, name));
        }
        return new WorkerInfo(rank, name);
    }

    /** {@return whether a text is a valid name of a worker} */
    static boolean isName(String name) {
        return !name.isEmpty() && name.length() < MAX_NAME_LENGTH && NAME.matcher(name).matches();
    }
}
