package org.gradwire.runtime;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.classes.MarkedClasses;
import org.gradwire.runtime.group.Group;
import org.gradwire.runtime.simulation.Simulation;
import org.gradwire.spi.Settings;
import org.gradwire.spi.WorkerTime;
import org.jspecify.annotations.Nullable;

/**
 * The identity and environment of a worker, known before its parts are created.
 *
 * @param classes the classes that peers may name
 * @param simulation runs the worker in simulated time; null in real time
 */
record WorkerContext(
        WorkerInfo self,
        Settings settings,
        Group group,
        MarkedClasses classes,
        @Nullable Simulation simulation,
        WorkerTime time,
        SecretNumbers secrets) {

    WorkerContext(
            WorkerInfo self,
            Settings settings,
            Group group,
            MarkedClasses classes,
            @Nullable Simulation simulation) {
        this(
                self,
                settings,
                group,
                classes,
                simulation,
                simulation == null ? WorkerTime.system() : simulation,
                SecretNumbers.of(self.id(), simulation));
    }
}
