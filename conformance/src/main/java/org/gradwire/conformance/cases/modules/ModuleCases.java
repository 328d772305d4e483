package org.gradwire.conformance.cases.modules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.functions.ValueClass;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.nn.Linear;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.ModuleInterface;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFunction.Function0;
import org.gradwire.rpc.RpcScope;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.tensor.Tensor;

import java.util.List;

/** Cases of modules that are used through their interface, sent by value, or serialized. */
public abstract class ModuleCases extends NestedSuite {
    private static final String NO_SAVING =
            "RRef serialization is only allowed inside RPC calls\\.";
    private static final Tensor NINES = Tensor.full(9.0, 2, 2);

    /** For subclasses. */
    protected ModuleCases() {}

    private static Tensor ones(Rank self) {
        return Tensor.ones(self.id());
    }

    private static String stays(Rpc rpc, String owner) {
        return "UserRRef\\(.*\\) is an RRef to a module through its interface\\. It can't be sent through RPC from owner, WorkerInfo\\(id=%d, name=%s\\), to user, WorkerInfo\\(id=%d, name=%s\\)\\."
                .formatted(rpc.worker(owner).id(), owner, rpc.self().id(), rpc.self().name());
    }

    // ---- by interface

    @Case("JR-013")
    void aModuleIsReferredToByItsInterface() {
        world(4).run(self -> {
            Rpc rpc = self.rpc();
            var module = new RankModule(self.id());
            RRef<ForwardModule> rref = rpc.rref(module, ForwardModule.class);
            assertSame(module, rref.toHere());
            assertSame(module, rref.localValue());
            Expect.tensor(ones(self), rref.toHere().forward());
            Expect.failure(
                    TypeMismatchException.class,
                    "the value is a module whose class implements a @ModuleInterface; name the interface",
                    () -> rpc.rref(module));
        });
    }

    @Case("JR-013")
    @SuppressWarnings({"unchecked", "rawtypes"}) // bypasses the compiler's check
    void anInterfaceThatDoesNotFitIsRefused() {
        world(2).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            String superfluous =
                    "the value is not a module whose class implements a @ModuleInterface; omit the interface";
            Expect.failure(
                    TypeMismatchException.class, superfluous, () -> rpc.rref("text", String.class));
            Class hint = ForwardModule.class;
            Expect.failure(TypeMismatchException.class, superfluous, () -> rpc.rref("text", hint));
            Expect.failure(
                    TypeMismatchException.class,
                    "RankModule is not an interface marked @ModuleInterface",
                    () -> rpc.rref(new RankModule(1), RankModule.class));
            Class other = OtherModule.class;
            Expect.failure(
                    TypeMismatchException.class,
                    "RankModule does not implement .*OtherModule",
                    () -> rpc.rref(new RankModule(1), other));
        });
    }

    /** An interface that the modules of this suite do not implement. */
    @ModuleInterface
    private interface OtherModule {}

    @Case("JR-015")
    void aModuleIsRunWhereItIs() {
        world(4).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            RRef<ForwardModule> rref = rpc.rpcSync(self.next(), ModuleFunctions::own, self.id());
            assertEquals(self.next(), rref.owner().name());
            Expect.tensor(
                    ones(self),
                    rpc.rpcAsync(rref.owner().name(), ModuleFunctions::forward, rref).join());
            Expect.tensor(
                    ones(self), rpc.script().call(Call.to(ModuleFunctions::askOwner).args(rref)));
            Expect.tensor(ones(self), rref.rpcSync(ForwardModule::forward));
        });
    }

    @Case("JR-031")
    void aModuleThatWasMadeAsItsInterfaceStaysWithItsOwner() {
        world(4).run(self -> {
            Rpc rpc = self.rpc();
            RRef<ForwardModule> rref =
                    rpc.remote(self.next(), ModuleFunctions::construct, self.id());
            Expect.tensor(
                    ones(self).mul(2),
                    rpc.rpcSync(self.next(), ModuleFunctions::addForward, rref, ones(self)));
            String text = stays(rpc, self.next());
            Expect.failure(
                    RpcException.class,
                    text,
                    () -> rpc.rpcSync(self.name(), ModuleFunctions::addForward, rref, ones(self)));
            Expect.failure(RpcException.class, text, rref::toHere);
            Expect.tensor(ones(self), rref.rpcSync(ForwardModule::forward));
        });
    }

    @Case("JR-031")
    void itStaysWhereverTheReferenceGoes() {
        world(3).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            RRef<ForwardModule> made =
                    rpc.remote(self.next(), RpcFunction.async(ModuleFunctions::constructLater), 2);
            RRef<ForwardModule> here = rpc.rref(new RankModule(2), ForwardModule.class);
            RRef<ForwardModule> ofSelf = rpc.remote(self.name(), ModuleFunctions::construct, 2);
            Expect.tensor(Tensor.ones(2), ofSelf.toHere().forward());
            for (RRef<ForwardModule> rref : List.of(made, here, ofSelf)) {
                String third = self.name(2);
                Expect.failure(
                        RpcException.class,
                        "to user, WorkerInfo\\(id=2, name=worker2\\)\\.",
                        () -> rpc.rpcSync(third, ModuleFunctions::forward, rref));
                Expect.tensor(Tensor.ones(2), rpc.rpcSync(third, ModuleFunctions::askOwner, rref));
            }
        });
    }

    // ---- by value

    @Case("JR-030")
    void aConstructorIsAFunctionButAMethodOfAModuleIsNone() {
        world(4).run(self -> {
            Rpc rpc = self.rpc();
            var module = new RankModule(self.id());
            rpc.barrier();
            Expect.tensor(
                    ones(self), rpc.rpcSync(self.next(), RankModule::new, self.id()).forward());
            assertEquals(new ValueClass(3), rpc.rpcSync(self.next(), ValueClass::new, 3));
            Function0<Tensor> bound = module::forward;
            String text = "serialization of the module";
            Expect.failure(
                    TypeMismatchException.class, text, () -> rpc.rpcAsync(self.next(), bound));
            Expect.failure(TypeMismatchException.class, text, () -> rpc.remote(self.next(), bound));
            var layer = new Linear(2, 2);
            Expect.failure(
                    TypeMismatchException.class,
                    text,
                    () -> rpc.rpcAsync(self.next(), layer::forward, Tensor.ones(1, 2)));
            assertEquals("0", rpc.debugInfo().get("num_pending_users"));
        });
    }

    @Case("JR-032")
    void aModuleTravelsByValue() {
        world(4).run(self -> {
            Rpc rpc = self.rpc();
            RankModule arrived = rpc.rpcSync(self.next(), RankModule::new, self.id());
            Expect.tensor(ones(self), arrived.forward());
            RRef<RankModule> rref = rpc.remote(self.next(), RankModule::new, self.id());
            assertTrue(rpc.rpcSync(self.next(), ModuleFunctions::isRankModule, rref));
            Expect.tensor(ones(self), rref.rpcSync(RankModule::forward));
            Expect.tensor(ones(self), rref.rpcSync(RankModule::customFunction));
            RankModule copy = rref.toHere();
            Expect.tensor(ones(self), copy.forward());
            Expect.tensor(ones(self), copy.customFunction());
        });
    }

    @Case("JR-032")
    void aModuleBringsItsParameters() {
        world(2).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            var layer = new Linear(3, 2);
            Tensor input = Tensor.of(new float[][] {{1, 2, 3}});
            Expect.tensor(
                    layer.forward(input),
                    rpc.rpcSync(self.next(), ModuleFunctions::output, layer, input));
            RRef<Linear> remote = rpc.remote(self.next(), Linear::new, 3, 2);
            Expect.tensor(remote.rpcSync(Linear::forward, input), remote.toHere().forward(input));
        });
    }

    // ---- as bytes

    private static byte[] saved(Rpc rpc, Object value) {
        try (RpcScope _ = rpc.serialization().allowReferences()) {
            return rpc.serialization().toBytes(value);
        }
    }

    @Case("JR-033")
    void aModuleIsLoadedWithItsReferencesOnTheirOwner() {
        world(4).run(self -> {
            Rpc rpc = self.rpc();
            var first = new ModuleWithReferences(rpc, self.next());
            var second = new ModuleWithReferences(rpc, self.next());
            byte[] bytes = saved(rpc, first);
            Tensor there = rpc.rpcSync(self.next(), ModuleFunctions::loadAndRun, bytes);
            Expect.tensor(NINES, there);
            Expect.tensor(there, second.forward(Tensor.ones(2, 2)));
        });
    }

    @Case("JR-033")
    void theSaverMayGiveItsReferencesUpBeforeAThirdWorkerLoads() {
        world(3).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            var module = new ModuleWithReferences(rpc, self.next());
            byte[] forThird = saved(rpc, module);
            byte[] forSelf = saved(rpc, module);
            module.close();
            Expect.tensor(NINES, rpc.rpcSync(self.name(2), ModuleFunctions::loadAndRun, forThird));
            try (var again = rpc.serialization().fromBytes(forSelf, ModuleWithReferences.class)) {
                Expect.tensor(NINES, again.forward(Tensor.ones(2, 2)));
            }
            RRef<Tensor> own = rpc.rref(Tensor.ones(2));
            assertEquals(own, rpc.serialization().fromBytes(saved(rpc, own), RRef.class));
        });
    }

    @Case("JR-033")
    void bytesAreLoadedOnce() {
        world(3).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            var module = new ModuleWithReferences(rpc, self.next());
            byte[] bytes = saved(rpc, module);
            String text = "cannot be loaded: it was loaded from these bytes before, or deleted";
            Expect.tensor(NINES, rpc.rpcSync(self.name(2), ModuleFunctions::loadAndRun, bytes));
            for (String loader : List.of(self.name(), self.next(), self.name(2))) {
                Expect.failure(
                        RpcException.class,
                        text,
                        () -> rpc.rpcSync(loader, ModuleFunctions::loadAndRun, bytes));
            }
            Expect.tensor(NINES, module.forward(Tensor.ones(2, 2)));
        });
    }

    @Case("JR-033")
    void referencesAreSavedWhereThatIsAllowed() {
        world(2).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            var module = new ModuleWithReferences(rpc, self.next());
            Expect.failure(
                    RpcException.class, NO_SAVING, () -> rpc.serialization().toBytes(module));
            byte[] bytes;
            try (RpcScope _ = rpc.serialization().allowReferences()) {
                try (RpcScope _ = rpc.serialization().allowReferences()) {
                    Expect.failure(
                            TypeMismatchException.class,
                            "java.lang.Object cannot be sent",
                            () -> rpc.serialization().toBytes(List.of(module, new Object())));
                }
                bytes = rpc.serialization().toBytes(module);
            }
            Expect.failure(
                    RpcException.class, NO_SAVING, () -> rpc.serialization().toBytes(module));
            Expect.tensor(NINES, rpc.rpcSync(self.next(), ModuleFunctions::loadAndRun, bytes));
            Expect.tensor(
                    Tensor.ones(2),
                    rpc.serialization()
                            .fromBytes(rpc.serialization().toBytes(Tensor.ones(2)), Tensor.class));
        });
    }
}
