package org.gradwire.collective.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

/** Tensors on devices, which go through host memory. */
@Timeout(60)
class DevicesTest {
    private static final Device FIRST = Device.parse("cuda:0");
    private static final Device SECOND = Device.parse("cuda:1");

    @ParameterizedTest
    @ValueSource(ints = {5, 20_000})
    void resultsAreOnTheDevicesOfTheArguments(int elements) {
        try (Workers workers = new Workers(2)) {
            List<Boolean> right = workers.run("all", group -> program(group, elements));
            assertEquals(List.of(true, true), right);
        }
    }

    private static boolean program(ProcessGroup group, int elements) {
        Tensor host = Tensor.full(1.0f + group.rank(), elements);
        List<Tensor> mine = List.of(host.to(FIRST), host, host.to(SECOND));
        assertAll(3, group.allReduce(mine, ReduceOp.SUM));
        assertAll(2, group.broadcast(mine, 1));
        List<List<Tensor>> all = group.allGather(mine);
        assertAll(1, all.get(0));
        assertAll(2, all.get(1));
        List<Tensor> changed = new ArrayList<>();
        for (Tensor tensor : mine) {
            changed.add(tensor.clone());
        }
        assertAll(1.5f, group.allReduce_(changed, ReduceOp.MEAN));

        int peer = 1 - group.rank();
        var sent = group.sendToAsync(host.to(SECOND), peer);
        Tensor received = group.receiveFrom(peer);
        assertEquals(Device.CPU, received.device());
        assertTrue(received.equal(Tensor.full(1.0f + peer, elements)));
        return sent.join() == null;
    }

    private static void assertAll(float value, List<Tensor> tensors) {
        assertEquals(
                List.of(FIRST, Device.CPU, SECOND), tensors.stream().map(Tensor::device).toList());
        for (Tensor tensor : tensors) {
            Tensor host = tensor.to(Device.CPU);
            assertTrue(host.equal(Tensor.full(value, host.shape())), host::toString);
        }
    }
}
