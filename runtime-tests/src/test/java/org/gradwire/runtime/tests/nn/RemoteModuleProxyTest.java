package org.gradwire.runtime.tests.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.nn.Linear;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.nn.remote.RemoteProxy;
import org.gradwire.rpc.RemoteArgumentException;
import org.gradwire.rpc.RemoteException;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.runtime.tests.InprocGroup;
import org.gradwire.runtime.tests.functions.Encoders.Encoder;
import org.gradwire.runtime.tests.functions.Encoders.NoFuture;
import org.gradwire.runtime.tests.functions.Encoders.RemoteEncoder;
import org.gradwire.runtime.tests.functions.Encoders.Scaling;
import org.gradwire.runtime.tests.functions.Encoders.TwiceAsync;
import org.gradwire.runtime.tests.functions.Encoders.Uncallable;
import org.gradwire.runtime.tests.functions.Encoders.Unmarked;
import org.gradwire.runtime.tests.functions.Encoders.WrongName;
import org.gradwire.runtime.tests.functions.Encoders.WrongParameters;
import org.gradwire.runtime.tests.functions.Encoders.WrongResult;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.concurrent.CompletionException;

/** Remote modules through proxies of their interfaces. */
@Timeout(60)
class RemoteModuleProxyTest {
    private static final Tensor INPUT = Tensor.of(1f, 2f);

    private static RemoteModule<Encoder> encoder(Rpc rpc) {
        return RemoteModule.create(rpc, "worker1", Encoder.class, Scaling::new, 3.0);
    }

    private static void withEncoder(Body body) throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (var encoder = encoder(rpc)) {
                        body.run(encoder);
                    }
                });
    }

    private interface Body {
        void run(RemoteModule<Encoder> encoder) throws Exception;
    }

    private static void assertTensor(Tensor expected, Tensor actual) {
        assertTrue(expected.equal(actual), actual::toString);
    }

    @Test
    void methodsRunOnTheOwner() throws Exception {
        withEncoder(encoder -> {
            Encoder proxy = encoder.proxy();
            assertTensor(INPUT.mul(6), proxy.encode(INPUT, 2));
            assertTensor(INPUT.mul(6), proxy.twice(INPUT));
            assertEquals(9.0, proxy.total(INPUT));
            assertTensor(INPUT.mul(3), proxy.pieces(INPUT).get(1));
            assertTensor(Tensor.full(4.0, 1), encoder.namedBuffers().get("calls").toHere());
            assertEquals("worker1", encoder.moduleRRef().owner().name());
        });
    }

    @Test
    void addedMethodsReturnFutures() throws Exception {
        withEncoder(encoder -> {
            RemoteEncoder proxy = encoder.proxy(RemoteEncoder.class);
            assertTensor(INPUT.mul(15), proxy.encodeAsync(INPUT, 5).join());
            assertEquals(9.0, proxy.totalAsync(INPUT).join());
            assertTensor(INPUT, proxy.piecesAsync(INPUT).join().getFirst());
            assertTensor(INPUT.mul(3), proxy.encode(INPUT, 1));
        });
    }

    @Test
    void asynchronousMethodsOfTheInterfaceReturnFutures() throws Exception {
        withEncoder(encoder -> {
            Encoder proxy = encoder.proxy();
            assertTensor(INPUT.mul(3), proxy.encodeLater(INPUT).join());
            assertTensor(
                    INPUT.mul(3),
                    encoder.forward(
                            RpcFunction.<Encoder, Tensor, Tensor>async(Encoder::encodeLater),
                            INPUT));
        });
    }

    @Test
    void failuresAreThoseOfTheOwner() throws Exception {
        withEncoder(encoder -> {
            RemoteEncoder proxy = encoder.proxy(RemoteEncoder.class);
            for (Executable call :
                    List.<Executable>of(
                            () -> proxy.fail("no luck"), () -> proxy.failAsync("no luck").join())) {
                var e = assertThrows(RemoteException.class, call);
                assertTrue(e.getMessage().contains("no luck"), e.getMessage());
                assertEquals("worker1", e.worker().name());
            }
        });
    }

    @Test
    void proxyEqualsItselfAndDescribesItself() throws Exception {
        withEncoder(encoder -> {
            Encoder proxy = encoder.proxy();
            assertEquals(proxy, proxy);
            assertNotEquals(proxy, encoder.proxy());
            assertEquals(proxy.hashCode(), proxy.hashCode());
            assertEquals("proxy of " + encoder, proxy.toString());
            assertSame(encoder, assertInstanceOf(RemoteProxy.class, proxy).remoteModule());
        });
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                WrongResult.class,
                WrongName.class,
                WrongParameters.class,
                NoFuture.class,
                TwiceAsync.class
            })
    void addedMethodsThatFitNoneAreRefused(Class<? extends Encoder> type) throws Exception {
        withEncoder(encoder -> {
            var e = assertThrows(TypeMismatchException.class, () -> encoder.proxy(type));
            assertTrue(
                    e.getMessage().contains(type.getName())
                            && e.getMessage()
                                    .contains("matches no method of " + Encoder.class.getName()),
                    e.getMessage());
        });
    }

    @Test
    void interfacesWithoutAMarkAreRefused() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    var unmarked =
                            assertThrows(
                                    TypeMismatchException.class,
                                    () ->
                                            RemoteModule.create(
                                                    rpc,
                                                    "worker1",
                                                    Unmarked.class,
                                                    Scaling::new,
                                                    3.0));
                    assertTrue(
                            unmarked.getMessage()
                                    .contains("is not an interface marked @ModuleInterface"),
                            unmarked.getMessage());
                    var uncallable =
                            assertThrows(
                                    TypeMismatchException.class,
                                    () ->
                                            RemoteModule.create(
                                                    rpc,
                                                    "worker1",
                                                    Uncallable.class,
                                                    Scaling::new,
                                                    3.0));
                    assertTrue(
                            uncallable.getMessage().contains("it is not marked @RemoteCallable"),
                            uncallable.getMessage());
                    assertEquals("0", rpc.debugInfo().get("num_pending_users"));
                });
    }

    @Test
    void moduleCreatedByItsClassHasNoProxy() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (var layer = RemoteModule.create(rpc, "worker1", Linear::new, 3, 2)) {
                        var e = assertThrows(TypeMismatchException.class, layer::proxy);
                        assertTrue(
                                e.getMessage().contains("is not used through an interface"),
                                e.getMessage());
                    }
                });
    }

    @Test
    void failedCreationFailsTheFirstCall() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc ->
                        assertThrows(
                                RemoteArgumentException.class,
                                () ->
                                        RemoteModule.create(
                                                rpc,
                                                "worker1/cpu",
                                                Encoder.class,
                                                Scaling::new,
                                                -1.0)));
    }

    @Test
    void moduleStaysOnItsOwner() throws Exception {
        withEncoder(encoder -> {
            var e = assertThrows(RpcException.class, () -> encoder.moduleRRef().toHere());
            assertTrue(
                    e.getMessage()
                            .contains(
                                    "is an RRef to a module through its interface. It can't be sent"),
                    e.getMessage());
        });
    }

    @Test
    void stagesAreAwaitedAndTheirFailuresReported() throws Exception {
        withEncoder(encoder -> {
            Encoder proxy = encoder.proxy();
            assertTensor(INPUT.mul(3), proxy.encodeInStages(INPUT).toCompletableFuture().join());
            var e =
                    assertThrows(
                            CompletionException.class,
                            () ->
                                    proxy.encodeInStages(Tensor.scalar(1))
                                            .toCompletableFuture()
                                            .join());
            var cause = assertInstanceOf(RemoteArgumentException.class, e.getCause());
            assertTrue(cause.getMessage().contains("no dimension"), cause.getMessage());
        });
    }
}
