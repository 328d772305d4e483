package org.gradwire.runtime.tests.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.nn.EmbeddingBag;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Module;
import org.gradwire.nn.ModuleDict;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.activation.GLU;
import org.gradwire.nn.activation.PReLU;
import org.gradwire.nn.activation.ReLU;
import org.gradwire.nn.activation.Softplus;
import org.gradwire.nn.activation.Tanh;
import org.gradwire.nn.conv.Conv1d;
import org.gradwire.nn.conv.Conv3d;
import org.gradwire.nn.conv.ConvTranspose2d;
import org.gradwire.nn.loss.CrossEntropyLoss;
import org.gradwire.nn.normalization.BatchNorm3d;
import org.gradwire.nn.normalization.InstanceNorm2d;
import org.gradwire.nn.normalization.InstanceNormConfiguration;
import org.gradwire.nn.transformer.TransformerConfiguration;
import org.gradwire.nn.transformer.TransformerDecoderLayer;
import org.gradwire.nn.transformer.TransformerEncoder;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.runtime.tests.InprocGroup;
import org.gradwire.runtime.tests.functions.Numbers;
import org.gradwire.runtime.tests.functions.TravellingModules;
import org.gradwire.runtime.tests.functions.TravellingModules.Changeling;
import org.gradwire.runtime.tests.functions.TravellingModules.Lacking;
import org.gradwire.runtime.tests.functions.TravellingModules.Tree;
import org.gradwire.runtime.tests.functions.TravellingModules.Unmakeable;
import org.gradwire.runtime.tests.functions.TravellingModules.Unmarked;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Modules as arguments and results: copies, refusals, malformed bytes. */
@Timeout(60)
class ModuleByValueTest {

    static void same(Module expected, Module actual) {
        assertNotSame(expected, actual);
        assertEquals(expected.getClass(), actual.getClass());
        assertEquals(
                List.copyOf(expected.namedParameters().keySet()),
                List.copyOf(actual.namedParameters().keySet()));
        expected.namedParameters()
                .forEach((path, parameter) -> {
                    Tensor arrived = actual.namedParameters().get(path);
                    assertTrue(parameter.equal(arrived), path);
                    assertEquals(parameter.requiresGrad(), arrived.requiresGrad(), path);
                    assertTrue(arrived.isLeaf(), path);
                });
        assertEquals(expected.namedBuffers().keySet(), actual.namedBuffers().keySet());
        expected.namedBuffers()
                .forEach((path, buffer) ->
                        assertTrue(buffer.equal(actual.namedBuffers().get(path)), path));
        assertEquals(modes(expected), modes(actual));
    }

    private static List<Boolean> modes(Module module) {
        List<Boolean> all = new ArrayList<>(List.of(module.isTraining()));
        module.children().forEach(child -> all.addAll(modes(child)));
        return all;
    }

    private static Module echo(Rpc rpc, Module module) {
        return rpc.rpcSync("worker1", TravellingModules::echo, module);
    }

    @Test
    void structureParametersAndModesArrive() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    var inner = new Sequential(new Linear(2, 3), new ReLU(), new Linear(3, 4));
                    var model = new Sequential(inner, new Tanh(), new Linear(4, 1));
                    var frozen = (Linear) List.copyOf(inner.children()).getFirst();
                    frozen.weight().requiresGrad(false);
                    frozen.train(false);
                    same(model, echo(rpc, model));
                    Tensor x = Tensor.of(new float[][] {{1, -2}});
                    assertArrayEquals(
                            model.forward(x).toFloatArray(),
                            assertInstanceOf(Sequential.class, echo(rpc, model))
                                    .forward(x)
                                    .toFloatArray());
                    var table = new EmbeddingBag(3, 2, "mean");
                    same(table, echo(rpc, table));
                    assertEquals(table.toString(), echo(rpc, table).toString());
                    var tree = new Tree(new Tree.TreeParts(model));
                    model.train(false);
                    same(tree, echo(rpc, tree));
                    same(
                            tree,
                            rpc.serialization()
                                    .fromBytes(rpc.serialization().toBytes(tree), Tree.class));
                });
    }

    @Test
    void buffersAndTypesArrive() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    var tree = new Tree(new Tree.TreeParts(new Linear(2, 3)));
                    tree.buffers().getFirst().add_(1.5);
                    tree.buffers().getLast().add_(7);
                    same(tree, echo(rpc, tree));
                    tree.to(DType.FLOAT64);
                    same(tree, echo(rpc, tree));
                    same(tree, rpc.rpcSync("worker0", TravellingModules::echo, tree));
                });
    }

    @Test
    void layersArriveWithTheirOptions() throws Exception {
        var options = TransformerConfiguration.of(4, 2).dimFeedforward(5).normFirst(true);
        List<Module> layers =
                List.of(
                        new TransformerEncoder(options, 2, 7),
                        new TransformerDecoderLayer(options, 7),
                        Conv1d.builder(2, 4, 3).groups(2).bias(false).build(7),
                        new Conv3d(2, 3, 2),
                        ConvTranspose2d.builder(2, 4, 3).stride(2).outputPadding(1).build(7),
                        new InstanceNorm2d(new InstanceNormConfiguration(3, 0.01, true)),
                        new BatchNorm3d(2),
                        new PReLU(),
                        new ModuleDict<Module>(Map.of("only", new Linear(2, 3))),
                        new Sequential(new Linear(2, 4), new GLU(1), new Softplus(2, 5)));
        InprocGroup.runFirst(
                2,
                rpc -> {
                    for (Module layer : layers) {
                        layer.eval();
                        Module arrived = echo(rpc, layer);
                        same(layer, arrived);
                        assertEquals(layer.toString(), arrived.toString());
                    }
                    CrossEntropyLoss loss = new CrossEntropyLoss(null, 3, 0.1, "sum");
                    assertEquals(
                            loss,
                            rpc.serialization()
                                    .fromBytes(
                                            rpc.serialization().toBytes(loss),
                                            CrossEntropyLoss.class));
                });
    }

    @Test
    void parametersOfNestedModulesTravelOnce() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    Module nested = new Linear(100, 100);
                    int flat = rpc.serialization().toBytes(nested).length;
                    for (int i = 0; i < 5; i++) {
                        nested = new Sequential((Sequential.Configuration) wrapped(nested));
                    }
                    int deep = rpc.serialization().toBytes(nested).length;
                    assertTrue(deep < flat + 2_000, () -> flat + " bytes became " + deep);
                });
    }

    private static Record wrapped(Module module) {
        return module instanceof Sequential sequential
                ? new Sequential.Configuration(List.of(sequential))
                : new Sequential.Configuration(List.of((Linear) module));
    }

    @Test
    void copyIsIndependent() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    var layer = new Linear(2, 2, 7);
                    rpc.runSync("worker1", TravellingModules::spoil, layer);
                    rpc.runSync("worker0", TravellingModules::spoil, layer);
                    assertTrue(layer.weight().equal(new Linear(2, 2, 7).weight()));
                    assertTrue(layer.isTraining() && layer.weight().requiresGrad());
                });
    }

    @Test
    void copyIsNotInTheOriginalsGraph() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (var context = DistAutograd.context(rpc)) {
                        var layer = new Linear(2, 1);
                        var copy = (Linear) echo(rpc, layer);
                        assertTrue(copy.weight().isLeaf() && copy.weight().requiresGrad());
                        context.backward(copy.forward(Tensor.ones(1, 2)).sum());
                        assertTrue(context.gradients().containsKey(copy.weight()));
                        assertFalse(context.gradients().containsKey(layer.weight()));
                    }
                });
    }

    private static void refused(Rpc rpc, Module module, String text) {
        String said =
                assertThrows(TypeMismatchException.class, () -> echo(rpc, module)).getMessage();
        assertTrue(said.contains(text), said);
        assertEquals(9, rpc.rpcSync("worker1", Numbers::square, 3));
    }

    @Test
    void moduleThatCannotBeCreatedAgainIsRefusedWithAdvice() throws Exception {
        String name = TravellingModules.class.getName();
        InprocGroup.runFirst(
                2,
                rpc -> {
                    refused(
                            rpc,
                            new Unmarked(),
                            "a module of %s$Unmarked cannot be sent (Java serialization is not used): it is not marked @WireValue; mark it and let it implement WireModule; or keep it here and send an RRef to it"
                                    .formatted(name));
                    refused(rpc, new Unmarked() {}, "it is not marked @WireValue");
                    refused(rpc, new Unmakeable(), "it does not implement WireModule");
                    refused(
                            rpc,
                            new Lacking(),
                            "Lacking cannot be made from its configuration: it has no public constructor that takes a %s$Lacking$Names"
                                    .formatted(name));
                    refused(
                            rpc,
                            TravellingModules.hidden(),
                            "%s$OutOfReach is not public".formatted(name));
                    refused(
                            rpc,
                            new Sequential(new Linear(1, 1), Tensor::relu),
                            "layer 1 of a Sequential, a org.gradwire.runtime.tests.nn.ModuleByValueTest$$Lambda");
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    name       | parameter 'weight' came for
                    shape      | is not of type float32 and shape [1, 2]
                    type       | is not of type int64 and shape [2]
                    parameters | 1 parameters and buffers came for
                    children   | the state of 1 modules came for
                    anything   | the constructor of
                    elements   | its modules and tensors take more than 16780304 bytes, the limit for the state sent with it
                    overlap    | its modules and tensors take more than 16828
                    buffers    | its modules and tensors take more than 16780304 bytes, the limit for the state sent with it
                    layers     | its modules and tensors take more than 16780304 bytes, the limit for the state sent with it
                    """)
    void stateOfAnotherStructureIsUndecodable(String change, String text) throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    RpcException e =
                            assertThrows(
                                    RpcException.class, () -> echo(rpc, new Changeling(change)));
                    assertEquals(RpcErrorKind.UNDECODABLE, e.kind());
                    assertTrue(e.getMessage().contains(text), e.getMessage());
                    assertEquals(9, rpc.rpcSync("worker1", Numbers::square, 3));
                });
    }

    /** The names have the length of a travelling module's name. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    org.gradwire.nn.Linear | org.gradwire.nn.Linerr | which is not a module that this worker accepts
                    org.gradwire.nn.Linear | org.gradwire.nn.Module | which is not a module that this worker accepts
                    org.gradwire.nn.Linear | java.lang.StringBuffer | which is not a module that this worker accepts
                    weight                 | weighs                 | parameter 'weighs' came for
                    """)
    void otherNamesInTheBytesAreUndecodable(String name, String other, String text)
            throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    byte[] bytes = rpc.serialization().toBytes(new Linear(2, 2));
                    String latin = new String(bytes, StandardCharsets.ISO_8859_1);
                    assertTrue(latin.contains(name) && name.length() == other.length());
                    byte[] forged =
                            latin.replaceFirst(name, other).getBytes(StandardCharsets.ISO_8859_1);
                    RpcException e =
                            assertThrows(
                                    RpcException.class,
                                    () -> rpc.serialization().fromBytes(forged, Linear.class));
                    assertEquals(RpcErrorKind.UNDECODABLE, e.kind());
                    assertTrue(e.getMessage().contains(text), e.getMessage());
                });
    }
}
