package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.runtime.tests.functions.DeviceFunctions;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

/** Device maps: tensors of calls on mapped devices, and the errors of wrong maps. */
@Timeout(60)
class DeviceMapTest {
    private static final String ONLY_CPU =
            "a tensor on a device is sent only to a worker for which a device map exists: move it to cpu, or set one with RpcOptions.Builder.deviceMap or gradwire.device-maps. ";

    /** Run two workers, of which the first has devices and a task. */
    private static void run(
            UnaryOperator<RpcOptions.Builder> first,
            UnaryOperator<RpcOptions.Builder> second,
            InprocGroup.Body body)
            throws Exception {
        String meeting = "inproc://" + UUID.randomUUID();
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Future<?> other =
                    thread.submit(
                            (Callable<Object>)
                                    () -> {
                                        RpcOptions.Builder options = options(meeting, 1);
                                        Rpc.init(second.apply(options).build()).close();
                                        return meeting;
                                    });
            try (Rpc rpc = Rpc.init(first.apply(options(meeting, 0)).build())) {
                body.run(rpc);
            }
            other.get();
        }
    }

    private static RpcOptions.Builder options(String meeting, int rank) {
        return RpcOptions.builder("worker" + rank)
                .rank(rank)
                .worldSize(2)
                .backend("inproc")
                .rendezvous(meeting);
    }

    private static Tensor on(String device) {
        return Tensor.of(1, 2).to(Device.parse(device));
    }

    private static void assertFails(String expected, Executable call) {
        String message = assertThrows(RpcException.class, call).getMessage();
        assertTrue(String.valueOf(message).contains(expected), message);
    }

    @Test
    void requestsFollowTheMapAndRepliesItsInverse() throws Exception {
        run(
                options ->
                        options.deviceMap("worker1", Map.of("cuda:0", "cuda:1"))
                                .deviceMap("worker1", Map.of("cuda:1", "cuda:3")),
                options -> options,
                rpc -> {
                    for (int i = 0; i < 2; i++) {
                        Tensor sent = on("cuda:" + i);
                        String there = rpc.rpcSync("worker1", DeviceFunctions::where, sent);
                        assertEquals(i == 0 ? "cuda:1" : "cuda:3", there);
                        Tensor got = rpc.rpcSync("worker1", DeviceFunctions::twice, sent);
                        assertEquals(sent.device(), got.device());
                        assertTrue(got.to(Device.CPU).equal(Tensor.of(2, 4)));
                    }
                    assertEquals("cpu", rpc.rpcSync("worker1", DeviceFunctions::where, on("cpu")));
                });
    }

    @Test
    void tensorsOfAWorkerToItselfKeepTheirDevice() throws Exception {
        run(
                options -> options,
                options -> options,
                rpc -> {
                    Tensor got = rpc.rpcSync("worker0", DeviceFunctions::twice, on("cuda:2"));
                    assertEquals(Device.parse("cuda:2"), got.device());
                });
    }

    @Test
    void requestsWithoutAMapAreRefusedByTheCaller() throws Exception {
        run(
                options -> options,
                options -> options,
                rpc ->
                        assertFails(
                                ONLY_CPU
                                        + "Request device mapping is not available for destination worker1, but found tensor on device: cuda:0",
                                () ->
                                        rpc.rpcSync(
                                                "worker1", DeviceFunctions::where, on("cuda:0"))));
    }

    @Test
    void requestsFromAnUnmappedDeviceAreRefusedByTheCaller() throws Exception {
        run(
                options -> options.deviceMap("worker1", Map.of("cuda:0", "cuda:1")),
                options -> options,
                rpc ->
                        assertFails(
                                ONLY_CPU
                                        + "Request device mapping is not available for destination worker1 for device cuda:2 but received a tensor on that device.",
                                () ->
                                        rpc.rpcSync(
                                                "worker1", DeviceFunctions::where, on("cuda:2"))));
    }

    @Test
    void replyFromADeviceThatTheCalleeDoesNotUseFails() throws Exception {
        run(
                options -> options.deviceMap("worker1", Map.of("cuda:0", "cuda:1")),
                options -> options,
                rpc ->
                        assertFails(
                                "a function returned a tensor on device cuda:3, which is not a device of this worker; its devices are: cuda:1. Name it in gradwire.devices, or map it.",
                                () -> rpc.rpcSync("worker1", DeviceFunctions::onesOn, "cuda:3")));
    }

    @Test
    void replyFromAnUnmappedDeviceFails() throws Exception {
        run(
                options -> options,
                options -> options.devices(List.of("cuda:3")),
                rpc ->
                        assertFails(
                                ONLY_CPU
                                        + "Response device mapping is not available for destination worker0, but found tensor on device: cuda:3",
                                () -> rpc.rpcSync("worker1", DeviceFunctions::onesOn, "cuda:3")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "worker1 cuda:0=cuda:1 cuda:2=cuda:1 |  | a device map is one-to-one, but maps",
                "worker1 cuda:0=cuda:1,worker1 cuda:0=cuda:2 |  | a device map is one-to-one, but maps cuda:0 to cuda:2 and cuda:1",
                "worker1 cuda:0 |  | 'worker1 cuda:0' must be WORKER FROM=TO [FROM=TO...]",
                "worker1 cuda:0=moon:1 |  | device type at start of device string: moon:1",
                "worker1 cuda:0=cuda:9 |  | Node worker0 has target devices with invalid indices in its device map for worker1: cuda:9",
                "worker1 cuda:9=cuda:0 |  | Node worker0 has source devices with invalid indices in its device map for worker1: cuda:9",
                "worker1 cuda:0=cuda:1 | cuda:2 | Node worker0 has unexpected source devices in its device map for worker1: {cuda:0=cuda:1}; expected [cuda:2]",
                "absent cuda:0=cuda:1 |  | Node worker0 has invalid target node names in its device maps: [absent]; expected [worker0, worker1]",
                " | cpu | each worker uses cpu; name only other devices, such as cuda:0",
                " | cuda:1,cuda:1 | Node worker0 has duplicated devices: [cuda:1, cuda:1]",
                " | cuda:4 | Node worker0 has devices with invalid indices: cuda:4; expected device count ="
            })
    void whatMakesNoSenseIsRefusedAtTheStart(String maps, String devices, String expected) {
        UnaryOperator<RpcOptions.Builder> told =
                options -> {
                    if (maps != null) {
                        options.set("gradwire.device-maps", maps);
                    }
                    return devices == null ? options : options.set("gradwire.devices", devices);
                };
        String meeting = "inproc://" + UUID.randomUUID();
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            var tried = new CountDownLatch(1);
            Future<?> other = thread.submit(() -> stay(meeting, tried));
            var e =
                    assertThrows(
                            RpcConfigurationException.class,
                            () -> Rpc.init(told.apply(options(meeting, 0)).build()));
            assertTrue(String.valueOf(e.getMessage()).contains(expected), e.getMessage());
            tried.countDown();
            other.cancel(true); // it may still wait for the first worker
        }
    }

    /** Run the second worker until the first one has failed. */
    private static void stay(String meeting, CountDownLatch tried) {
        try {
            Rpc rpc = Rpc.init(options(meeting, 1).build());
            tried.await();
            rpc.shutdownNow();
        } catch (RpcException | InterruptedException _) {
            // The first worker left.
        }
    }

    @Test
    void targetThatTheOtherDoesNotUseIsRefused() {
        assertFails(
                "Node worker0 has unexpected target devices in its device map for worker1: {cuda:0=cuda:1}; expected [cuda:2]",
                () ->
                        run(
                                options -> options.deviceMap("worker1", Map.of("cuda:0", "cuda:1")),
                                options -> options.devices(List.of("cuda:2")),
                                rpc -> {}));
    }

    @ParameterizedTest
    @CsvSource({"cuda:1, cuda:1", "cuda:9, "})
    void mapsMayNameWorkersThatComeLater(String target, String expected) {
        String meeting = "inproc://" + UUID.randomUUID();
        RpcOptions first =
                dynamic(meeting, "first").deviceMap("later", Map.of("cuda:0", target)).build();
        try (Rpc rpc = Rpc.init(first);
                Rpc later = Rpc.init(dynamic(meeting, "later").build())) {
            if (expected == null) { // there is no such device, but the worker is a member
                Executable call = () -> rpc.rpcSync("later", DeviceFunctions::where, on("cuda:0"));
                assertFails("cuda:9", call);
            } else {
                assertEquals(expected, rpc.rpcSync("later", DeviceFunctions::where, on("cuda:0")));
            }
            assertEquals("cpu", rpc.rpcSync("later", DeviceFunctions::where, on("cpu")));
            assertEquals("later", later.self().name());
        }
    }

    private static RpcOptions.Builder dynamic(String meeting, String name) {
        return RpcOptions.builder(name)
                .rank(name.equals("first") ? 0 : 1)
                .dynamicGroup()
                .backend("inproc")
                .rendezvous(meeting);
    }
}
