package org.gradwire.conformance.cases.modules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.rpc.RpcScope;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Cases of remote modules. */
public abstract class RemoteModuleCases extends NestedSuite {
    private static final String NOT_SERIALIZABLE =
            "RemoteModule can only be serialized when using RPC";

    /** For subclasses. */
    protected RemoteModuleCases() {}

    private static Call<WordModule> constructor() {
        Function2<Integer, Integer, WordModule> constructor = WordModule::new;
        return Call.to(constructor).args(1).kwarg("firstKwarg", 2);
    }

    /** Create a remote module by its constructor. */
    static RemoteModule<WordModule> plain(Rpc rpc, String remoteDevice) {
        return RemoteModule.create(rpc, remoteDevice, constructor());
    }

    /** Create a remote module that is used through its interface. */
    static RemoteModule<WordInterface> typed(Rpc rpc, String remoteDevice) {
        return RemoteModule.create(rpc, remoteDevice, WordInterface.class, constructor());
    }

    static void assertWords(String word, int number, Tensor tensor, Words actual) {
        assertEquals(word, actual.word());
        assertEquals(number, actual.number());
        Expect.tensor(tensor, actual.tensor());
    }

    private static void assertAnswer(Words actual) {
        assertWords("3", 2, Tensor.ones(1), actual);
    }

    @Case("RM-001")
    @SuppressWarnings("unchecked") // bypasses the compiler's check
    void whatIsNoModuleIsRefusedAtItsFirstUse() {
        world(2).runOnRank0(self -> {
            var bad =
                    (Call<WordModule>)
                            (Call<?>) Call.to(NoModule::new).args(1).kwarg("firstKwarg", 2);
            for (int i = 0; i < 2; i++) {
                try (var module = RemoteModule.create(self.rpc(), self.next() + "/cpu", bad)) {
                    Expect.failure(
                            IllegalArgumentException.class,
                            "the constructor of a remote module must return an org\\.gradwire\\.nn\\.Module, but returned .*NoModule",
                            () -> module.forward(WordModule::forward, Tensor.ones(1), 2, "3"));
                }
            }
        });
    }

    @Case("RM-002")
    void aModuleIsCalledByAFuture() {
        world(2).runOnRank0(self -> {
            try (var plain = plain(self.rpc(), self.next());
                    var typed = typed(self.rpc(), self.next())) {
                assertEquals("cpu", plain.device());
                assertEquals("cpu", typed.device());
                assertAnswer(
                        plain.forwardAsync(WordModule::forward, Tensor.ones(1), 2, "3").join());
                assertAnswer(
                        typed.forwardAsync(WordInterface::forward, Tensor.ones(1), 2, "3").join());
                assertAnswer(
                        typed.proxy(RemoteWordInterface.class)
                                .forwardAsync(Tensor.ones(1), 2, "3")
                                .join());
            }
        });
    }

    @Case("RM-002")
    void aModuleIsCalledAndAwaitedAndWithKeywords() {
        world(2).runOnRank0(self -> {
            try (var plain = plain(self.rpc(), self.next());
                    var typed = typed(self.rpc(), self.next())) {
                assertAnswer(plain.forward(WordModule::forward, Tensor.ones(1), 2, "3"));
                assertAnswer(typed.forward(WordInterface::forward, Tensor.ones(1), 2, "3"));
                assertAnswer(typed.proxy().forward(Tensor.ones(1), 2, "3"));
                Call<Words> named =
                        Call.to(WordModule::forward).args(Tensor.ones(1), 2).kwarg("word", "3");
                assertAnswer(plain.forward(named));
                assertAnswer(plain.forwardAsync(named).join());
                assertEquals(
                        "default",
                        plain.forward(Call.to(WordModule::forward).args(Tensor.ones(1), 2)).word());
                assertEquals(
                        "default",
                        typed.forward(Call.to(WordInterface::forward).args(Tensor.ones(1), 2))
                                .word());
            }
        });
    }

    @Case("RM-003")
    void aScriptCallsAModuleThroughItsInterface() {
        world(2).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            try (var module = typed(rpc, self.next())) {
                RemoteWordInterface proxy = module.proxy(RemoteWordInterface.class);
                assertAnswer(
                        rpc.script()
                                .call(Call.to(RemoteModuleCallers::runForwardAsync).args(proxy)));
                assertAnswer(
                        rpc.script().call(Call.to(RemoteModuleCallers::runForward).args(proxy)));
            }
        });
    }

    @Case("RM-004")
    void parametersAreReferredTo() {
        world(2).runOnRank0(self -> {
            try (var module = plain(self.rpc(), self.next())) {
                List<RRef<Tensor>> parameters = module.remoteParameters();
                assertEquals(1, parameters.size());
                assertEquals(self.next(), parameters.getFirst().owner().name());
                Expect.tensor(Tensor.ones(1), parameters.getFirst().toHere());
            }
        });
    }

    @Case("RM-005")
    void theReferenceLeadsToTheModule() {
        world(2).runOnRank0(self -> {
            try (var module = plain(self.rpc(), self.next())) {
                RRef<WordModule> rref = module.moduleRRef();
                assertEquals(self.next(), rref.owner().name());
                assertFalse(rref.isOwner());
                List<Tensor> parameters = rref.toHere().parameters();
                assertEquals(1, parameters.size());
                Expect.tensor(Tensor.ones(1), parameters.getFirst());
            }
        });
    }

    @Case("RM-006")
    void modesReachTheModule() {
        world(2).runOnRank0(self -> {
            try (var module = plain(self.rpc(), self.next())) {
                assertSame(module, module.train());
                assertTrue(isTraining(self, module));
                assertSame(module, module.eval());
                assertFalse(isTraining(self, module));
                assertTrue(isTraining(self, module.train(true)));
                assertFalse(isTraining(self, module.train(false)));
            }
        });
    }

    private static boolean isTraining(Rank self, RemoteModule<WordModule> module) {
        return self.rpc()
                .rpcSync(self.next(), RemoteModuleCallers::isTraining, module.moduleRRef());
    }

    @Case("RM-007")
    void aHandleHasNoAttributesToAdd() {
        assertTrue(Modifier.isFinal(RemoteModule.class.getModifiers()));
        List<String> methods =
                Arrays.stream(RemoteModule.class.getMethods()).map(Method::getName).toList();
        assertFalse(methods.contains("attribute"), methods.toString());
        assertFalse(methods.contains("attributes"), methods.toString());
        world(2).runOnRank0(self -> {
            try (var module = plain(self.rpc(), self.next())) {
                Map<String, Object> sent = RemoteModuleCallers.attributes(module);
                Map<String, Object> arrived =
                        self.rpc().rpcSync(self.next(), RemoteModuleCallers::attributes, module);
                assertEquals(
                        self.next(),
                        assertInstanceOf(RRef.class, arrived.get("module_rref")).owner().name());
                for (String same : List.of("on", "device", "is_device_map_set", "is_scriptable")) {
                    assertEquals(sent.get(same), arrived.get(same), same);
                }
            }
        });
    }

    @Case("RM-008")
    void aModuleIsNotSaved() {
        world(2).runOnRank0(self -> {
            try (var module = plain(self.rpc(), self.next())) {
                assertNotSaved(self.rpc(), module);
            }
        });
    }

    @Case("RM-009")
    void aModuleThatIsUsedThroughItsInterfaceIsNotSaved() {
        world(2).runOnRank0(self -> {
            try (var module = typed(self.rpc(), self.next())) {
                assertNotSaved(self.rpc(), module);
                assertNotSaved(self.rpc(), module.proxy());
            }
        });
    }

    private static void assertNotSaved(Rpc rpc, Object module) throws IOException {
        Expect.failure(
                RpcException.class, NOT_SERIALIZABLE, () -> rpc.serialization().toBytes(module));
        try (RpcScope _ = rpc.serialization().allowReferences()) {
            Expect.failure(
                    RpcException.class,
                    NOT_SERIALIZABLE,
                    () -> rpc.serialization().toBytes(List.of(module)));
        }
        Path file = Files.createTempFile("module", ".bin");
        try (OutputStream bytes = Files.newOutputStream(file);
                var out = new ObjectOutputStream(bytes)) {
            Expect.failure(IOException.class, NOT_SERIALIZABLE, () -> out.writeObject(module));
        } finally {
            Files.delete(file);
        }
    }

    @Case("RM-010")
    void aModuleIsSentToAThirdWorker() {
        world(3).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            String third = self.name(2);
            try (var module = plain(rpc, self.next())) {
                Map<String, Object> arrived =
                        rpc.rpcSync(third, RemoteModuleCallers::attributes, module);
                assertEquals("worker1", arrived.get("on"));
                assertEquals("cpu", arrived.get("device"));
                assertEquals(false, arrived.get("is_device_map_set"));
                assertEquals(false, arrived.get("is_scriptable"));
                assertEquals(
                        self.next(),
                        assertInstanceOf(RRef.class, arrived.get("module_rref")).owner().name());
                Tensor one = Tensor.ones(1);
                assertAnswer(rpc.rpcSync(third, RemoteModuleCallers::forward, module, one, 2, "3"));
                assertAnswer(
                        rpc.rpcSync(third, RemoteModuleCallers::forwardAsync, module, one, 2, "3"));
            }
        });
    }

    @Case("RM-011")
    void aModuleThatIsUsedThroughItsInterfaceIsNotSent() {
        world(3).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            String third = self.name(2);
            String text = "a RemoteModule that is used through an interface cannot be sent";
            try (var module = typed(rpc, self.next())) {
                Expect.failure(
                        RpcException.class,
                        text,
                        () -> rpc.rpcAsync(third, RemoteModuleCallers::isScriptable, module));
                Expect.failure(
                        RpcException.class,
                        text,
                        () -> rpc.runAsync(third, RemoteModuleCallers::take, module.proxy()));
                assertAnswer(
                        rpc.rpcSync(
                                third,
                                RemoteModuleCallers::throughInterface,
                                self.next(),
                                module.moduleRRef()));
            }
        });
    }

    @Case("RM-012")
    void aHandleIsMadeOfAReference() {
        world(3).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            String third = self.name(2);
            try (var first = plain(rpc, self.next())) {
                RRef<WordModule> rref = first.moduleRRef();
                try (var second =
                        rpc.rpcSync(third, RemoteModuleCallers::fromReference, third, rref)) {
                    assertEquals(third, second.on());
                    assertEquals(self.next(), second.moduleRRef().owner().name());
                    Tensor one = Tensor.ones(1);
                    assertAnswer(
                            rpc.rpcSync(
                                    self.next(), RemoteModuleCallers::forward, first, one, 2, "3"));
                    assertAnswer(
                            rpc.rpcSync(third, RemoteModuleCallers::forward, second, one, 2, "3"));
                }
            }
        });
    }
}
