package org.gradwire.conformance.cases.modules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.ThreadWorld;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RpcException;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Assumptions;

import java.util.List;
import java.util.Map;

/**
 * Cases of modules on devices of other workers. They need {@code cuda:0}, which module {@code
 * org.gradwire.device.virtual} provides in ordinary memory, and are skipped otherwise.
 */
public abstract class RemoteModuleDeviceCases extends NestedSuite {

    /** For subclasses. */
    protected RemoteModuleDeviceCases() {}

    private ThreadWorld devices() {
        Assumptions.assumeTrue(
                Device.types().contains("cuda") && Device.count("cuda") >= 1,
                "device cuda:0 is missing; put org.gradwire.device.virtual on the module path");
        return world(2);
    }

    @Case("RM-013")
    void aModuleIsPutOnItsDevice() {
        devices()
                .runOnRank0(self -> {
                    for (String remoteDevice : List.of("worker1/cuda:0", "rank:1/cuda:0")) {
                        try (var module = RemoteModuleCases.plain(self.rpc(), remoteDevice)) {
                            List<String> devices =
                                    self.rpc()
                                            .rpcSync(
                                                    self.next(),
                                                    RemoteModuleCallers::devices,
                                                    module.moduleRRef());
                            assertEquals(List.of("cuda:0"), devices);
                        }
                    }
                });
    }

    @Case("RM-014")
    void placesThatAreNoneAreRefused() {
        Map<String, String> ofDevice =
                Map.of(
                        "worker1/foo",
                        "Expected one of .+ device type at start of device string",
                        "worker1/cpu2",
                        "Invalid device string: 'cpu2'",
                        "worker1/",
                        "Device string must not be empty");
        devices()
                .runOnRank0(self -> {
                    ofDevice.forEach((remoteDevice, text) ->
                            Expect.failure(
                                    RpcException.class,
                                    text,
                                    () -> RemoteModuleCases.plain(self.rpc(), remoteDevice)));
                    for (String remoteDevice : List.of("worker1/cuda:0/cuda:1", "/", "/cuda:0")) {
                        Expect.failure(
                                IllegalArgumentException.class,
                                "'%s' is not the place of a remote module; expected WORKER, WORKER/DEVICE"
                                        .formatted(remoteDevice),
                                () -> RemoteModuleCases.plain(self.rpc(), remoteDevice));
                    }
                });
    }

    @Case("RM-014")
    void aDeviceThatIsNotThereIsRefusedAtTheFirstUse() {
        devices()
                .runOnRank0(self -> {
                    try (var module = RemoteModuleCases.plain(self.rpc(), "worker1/cuda:100")) {
                        for (int i = 0; i < 2; i++) {
                            Expect.failure(
                                    RpcException.class,
                                    "CUDA error: invalid device ordinal",
                                    () ->
                                            module.forward(
                                                    WordModule::forward, Tensor.ones(1), 2, "3"));
                        }
                    }
                    var e =
                            assertThrows(
                                    RpcException.class,
                                    () -> RemoteModuleCases.typed(self.rpc(), "worker1/cuda:100"));
                    assertEquals(true, e.getMessage().contains("invalid device ordinal"));
                });
    }

    @Case("RM-015")
    void whatGoesInAndOutIsMoved() {
        devices()
                .runOnRank0(self -> {
                    Tensor one = Tensor.ones(1);
                    Call<TensorWords> call =
                            Call.to(WordModule::tensors).args(one, 2).kwarg("word", one.mul(2));
                    try (var module = RemoteModuleCases.plain(self.rpc(), "worker1/cuda:0")) {
                        for (TensorWords words :
                                List.of(module.forwardAsync(call).join(), module.forward(call))) {
                            Expect.tensor(one.mul(2), words.word());
                            assertEquals(2, words.number());
                            Expect.tensor(one, words.tensor());
                            assertEquals(Device.CPU, words.word().device());
                            assertEquals(Device.CPU, words.tensor().device());
                        }
                        assertEquals(
                                List.of("cuda:0", "cuda:0"),
                                module.forward(WordModule::devicesOf, one, one));
                    }
                });
    }

    @Case("RM-016")
    void whatGoesThroughAnInterfaceIsMoved() {
        devices()
                .runOnRank0(self -> {
                    try (var module = RemoteModuleCases.typed(self.rpc(), "worker1/cuda:0")) {
                        for (Words words :
                                List.of(
                                        self.rpc()
                                                .script()
                                                .call(
                                                        Call.to(RemoteModuleCallers::runForward)
                                                                .args(module.proxy())),
                                        module.proxy().forward(Tensor.ones(1), 2, "3"))) {
                            RemoteModuleCases.assertWords("3", 2, Tensor.ones(1), words);
                            assertEquals(Device.CPU, words.tensor().device());
                        }
                    }
                });
    }
}
