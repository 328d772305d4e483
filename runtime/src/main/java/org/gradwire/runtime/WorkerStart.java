package org.gradwire.runtime;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.authorization.Policy;
import org.gradwire.runtime.call.UdfCodecs;
import org.gradwire.runtime.config.LayeredSettings;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.runtime.function.CallOptions;
import org.gradwire.runtime.group.BackendAgreement;
import org.gradwire.runtime.group.DynamicGroup;
import org.gradwire.runtime.group.Group;
import org.gradwire.runtime.group.SelfInfo;
import org.gradwire.runtime.group.StaticGroup;
import org.gradwire.runtime.simulation.Simulation;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.Store;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Starts a worker: reads its settings, enters its group, agrees on a backend, and joins. */
final class WorkerStart {
    private final SharedServices shared;
    private final LayeredSettings settings;
    private final UdfCodecs udfCodecs;
    private final @Nullable Policy policy;
    private final Optional<BackendProvider> named;
    private final boolean dynamic;
    private final int worldSize; // 0 in a dynamic group
    private final WorkerInfo self;
    private final boolean isRestarted;
    private final Duration leaseTime;
    private final Duration timeout;

    WorkerStart(SharedServices shared, LayeredSettings settings, UdfCodecs udfCodecs) {
        this.shared = shared;
        this.settings = settings;
        this.udfCodecs = udfCodecs;
        policy = Policy.of(settings);
        named = shared.backends().named(settings);
        named.ifPresent(this::addDefaults);
        settings.addDefaults(
                "the defaults of the rendezvous", shared.rendezvous().defaults(settings));
        dynamic =
                settings.choice(RuntimeSettings.GROUP, List.of("static", "dynamic"))
                        .equals("dynamic");
        worldSize = dynamic ? 0 : settings.integer(RuntimeSettings.WORLD_SIZE, 1, Short.MAX_VALUE);
        self = SelfInfo.read(settings, dynamic ? Short.MAX_VALUE : worldSize);
        isRestarted = settings.integer(RuntimeSettings.RESTART, 0, Integer.MAX_VALUE) > 0;
        leaseTime = leaseTime(settings);
        timeout = CallOptions.nonNegative(settings.duration(RuntimeSettings.RPC_TIMEOUT));
    }

    private static Duration leaseTime(LayeredSettings settings) {
        Duration time = CallOptions.nonNegative(settings.duration(RuntimeSettings.MEMBER_LEASE));
        boolean isValid =
                time.compareTo(Store.MIN_LEASE) >= 0 && time.compareTo(Store.MAX_LEASE) <= 0;
        if (!isValid && !time.isZero()) {
            throw settings.wrong(
                    RuntimeSettings.MEMBER_LEASE,
                    "0s or from %ds to %ds"
                            .formatted(Store.MIN_LEASE.toSeconds(), Store.MAX_LEASE.toSeconds()));
        }
        return time;
    }

    private void addDefaults(BackendProvider backend) {
        settings.addDefaults("the defaults of backend " + backend.name(), backend.defaults());
    }

    /**
     * Start the worker, which is a member of its group afterwards.
     *
     * @throws RpcConfigurationException when its settings are invalid
     */
    Rpc start() {
        Simulation simulation = simulation();
        Store store = shared.rendezvous().open(settings, self, worldSize, timeout);
        Group group =
                dynamic
                        ? DynamicGroup.enter(self, store, isRestarted, leaseTime)
                        : new StaticGroup(self, worldSize, store, timeout);
        WorkerAssembly worker = null;
        try {
            var context = new WorkerContext(self, settings, group, shared.classes(), simulation);
            BackendProvider backend = named.orElseGet(() -> agree(store));
            worker =
                    new WorkerAssembly(shared, context, policy, store, backend, udfCodecs, timeout);
            Rpc joined = worker.join();
            ReadyFile.create(settings);
            return joined;
        } catch (RuntimeException e) {
            if (worker == null) {
                group.close();
            } else {
                worker.stop();
            }
            throw e;
        }
    }

    /** {@return the backend that the group agrees on} */
    private BackendProvider agree(Store store) {
        var agreement = new BackendAgreement(shared.backends(), settings, store, self, timeout);
        BackendProvider backend =
                dynamic ? agreement.agreeInDynamicGroup() : agreement.agree(worldSize);
        addDefaults(backend);
        return backend;
    }

    /**
     * {@return the simulation that the worker runs in; null when it runs in real time}
     *
     * @throws RpcConfigurationException when its group cannot be simulated
     */
    private @Nullable Simulation simulation() {
        String key = RuntimeSettings.SIMULATION_SEED;
        if (settings.find(key).isEmpty()) {
            return null;
        }
        int seed = settings.integer(key, Integer.MIN_VALUE, Integer.MAX_VALUE);
        if (dynamic) {
            throw new RpcConfigurationException(
                    "%s=%d (from %s): only static groups can be simulated; set %s=static"
                            .formatted(key, seed, settings.origin(key), RuntimeSettings.GROUP));
        }
        String rendezvous = settings.text(RuntimeSettings.RENDEZVOUS);
        return shared.simulations().enter(rendezvous, seed, self.id(), worldSize);
    }
}
