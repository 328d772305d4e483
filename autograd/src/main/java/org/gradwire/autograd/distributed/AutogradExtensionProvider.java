package org.gradwire.autograd.distributed;

import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.RpcExtensionProvider;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Worker;
import org.gradwire.spi.process.JvmSettings;
import org.gradwire.tensor.kernel.memory.ProcessSettings;
import org.gradwire.tensor.storage.Devices;

import java.util.List;
import java.util.stream.Stream;

/** Adds tensors and distributed autograd to workers. Created by {@link java.util.ServiceLoader}. */
public final class AutogradExtensionProvider implements RpcExtensionProvider {

    /** For {@link java.util.ServiceLoader}. */
    public AutogradExtensionProvider() {}

    @Override
    public String name() {
        return "autograd";
    }

    @Override
    public List<Setting> settings() {
        return Stream.of(
                        ProcessSettings.ALL,
                        Devices.installed().settings(),
                        DeviceSettings.ALL,
                        List.of(StallDetector.SETTING))
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public RpcExtension create(Worker worker) {
        ProcessSettings.requireNoOther(worker.settings());
        new JvmSettings(Devices.installed().settings()).requireNoOther(worker.settings());
        return new AutogradExtension(worker);
    }
}
