package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.runtime.config.WorkerName;
import org.gradwire.spi.Settings;

/** Reads a worker's name and id from its settings. */
public final class SelfInfo {
    private SelfInfo() {}

    public static WorkerInfo read(Settings settings, int maxSize) {
        int rank = settings.integer(RuntimeSettings.RANK, 0, maxSize - 1);
        String name = settings.find(RuntimeSettings.NAME).orElse("worker" + rank);
        if (!WorkerName.isValid(name)) {
            throw new RpcConfigurationException(
                    "Worker name must match %s, and must be non-empty and shorter than %d chars, but got %s"
                            .formatted(WorkerName.PATTERN, WorkerName.LENGTH_LIMIT, name));
        }
        return new WorkerInfo(rank, name);
    }
}
