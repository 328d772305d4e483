package org.gradwire.runtime.tests.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.nn.Linear;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.runtime.tests.InprocGroup;
import org.gradwire.runtime.tests.functions.Encoders.Arrival;
import org.gradwire.runtime.tests.functions.Encoders.Encoder;
import org.gradwire.runtime.tests.functions.Encoders.Scaling;
import org.gradwire.runtime.tests.functions.Modules;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The end of remote modules: closed, or lost with their owner. */
@Timeout(60)
class RemoteModuleLifeTest {

    @Test
    void closedModuleLeavesNothingOnItsOwner() throws Exception {
        InprocGroup.runFirst(
                3,
                rpc -> {
                    try (var layer = RemoteModule.create(rpc, "worker1", Linear::new, 3, 2);
                            var encoder =
                                    RemoteModule.create(
                                            rpc, "worker1", Encoder.class, Scaling::new, 3.0)) {
                        rpc.runSync("worker2", Modules::callAndClose, layer, Tensor.ones(1, 3));
                        assertEquals(
                                Tensor.ones(2).sum().item() * 3,
                                encoder.proxy().total(Tensor.ones(2)));
                        layer.remoteParameters().forEach(RRef::close);
                        encoder.namedBuffers().values().forEach(RRef::close);
                        rpc.runSync("worker1", Modules::awaitOwned, 2);
                    }
                    rpc.runSync("worker1", Modules::awaitOwned, 0);
                    Map<String, String> here = rpc.debugInfo();
                    assertEquals("0", here.get("num_pending_users"));
                    assertEquals("0", here.get("num_owner_rrefs"));
                });
    }

    @Test
    void allCallsEndWhenTheOwnerIsLost() throws Exception {
        var lost = new CountDownLatch(1);
        InprocGroup.run(
                2,
                rpc -> {
                    if (rpc.self().id() == 1) {
                        assertTrue(Arrival.at(rpc).await());
                        rpc.shutdownNow();
                        lost.countDown();
                        return;
                    }
                    var layer = RemoteModule.create(rpc, "worker1", Linear::new, 3, 2);
                    var encoder =
                            RemoteModule.create(rpc, "worker1", Encoder.class, Scaling::new, 3.0);
                    Encoder proxy = encoder.proxy();
                    RpcFuture<Tensor> never = proxy.never();
                    assertThrows(RpcConnectionException.class, never::join);
                    assertTrue(lost.await(30, TimeUnit.SECONDS));
                    for (Executable call :
                            List.<Executable>of(
                                    () -> layer.forward(Linear::forward, Tensor.ones(1, 3)),
                                    () -> proxy.total(Tensor.ones(1)),
                                    layer::remoteParameters,
                                    layer::stateDict,
                                    layer::train,
                                    () -> layer.moduleRRef().toHere())) {
                        assertThrows(RpcConnectionException.class, call);
                    }
                    layer.close();
                    encoder.close();
                    rpc.shutdownNow();
                });
    }
}
