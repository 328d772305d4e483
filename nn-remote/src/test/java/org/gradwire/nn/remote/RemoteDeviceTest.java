package org.gradwire.nn.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.TypeMismatchException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms of places, and the errors of others, in PyTorch's order. */
class RemoteDeviceTest {

    @ParameterizedTest
    @CsvSource({
        "worker1, worker1, cpu",
        "worker1/cpu, worker1, cpu",
        "worker1/cpu:0, worker1, cpu",
        "worker1/cuda, worker1, cuda:0",
        "worker1/cuda:3, worker1, cuda:3",
        "worker1/cuda:100, worker1, cuda:100",
        "rank:1, rank:1, cpu",
        "rank:12/cuda:0, rank:12, cuda:0",
        "cpu2, cpu2, cpu",
        "my.worker-3, my.worker-3, cpu",
        "cpu/cuda:1, cpu, cuda:1",
    })
    void aPlaceIsAWorkerAndADevice(String text, String worker, String device) {
        RemoteDevice place = RemoteDevice.parse(text);
        assertEquals(worker, place.worker());
        assertEquals(device, place.device().toString());
        assertEquals(worker + "/" + device, place.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "//",
                "/cpu",
                "/cuda:0",
                "worker1/cuda:0/cuda:1",
                "worker1//cpu",
                "worker:1/cpu",
                "worker:1",
                "rank:/cpu",
                "rank:x/cpu",
                "rank:-1",
                "rank:1:2/cpu",
                "Rank:1",
                "cuda:x"
            })
    void otherFormsAreRefused(String text) {
        var e = assertThrows(IllegalArgumentException.class, () -> RemoteDevice.parse(text));
        assertEquals(
                "'%s' is not the place of a remote module; expected WORKER, WORKER/DEVICE or rank:RANK/DEVICE"
                        .formatted(text),
                e.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "worker1/, Device string must not be empty",
        "worker1/cpu2, Invalid device string: 'cpu2'",
        "worker1/cuda:01, Invalid device string: 'cuda:01'",
        "worker:1/cpu2, Invalid device string: 'cpu2'",
    })
    void devicesThatAreNoneAreRefusedFirst(String text, String expected) {
        var e = assertThrows(RpcException.class, () -> RemoteDevice.parse(text));
        assertEquals(expected, e.getMessage());
    }

    @Test
    void typesOfDevicesThatNobodyBringsAreNamed() {
        var e = assertThrows(RpcException.class, () -> RemoteDevice.parse("worker1/foo"));
        assertTrue(
                e.getMessage()
                        .matches(
                                "Expected one of .*cpu.* device type at start of device string: foo"),
                e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "cuda", "cuda:1"})
    void aDeviceOfNoWorkerIsRefused(String text) {
        var e = assertThrows(TypeMismatchException.class, () -> RemoteDevice.parse(text));
        assertEquals(
                "the place '%s' names a device without a worker; write WORKER/%s"
                        .formatted(text, text),
                e.getMessage());
    }
}
