package org.gradwire.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.nn.LayerCases.Case;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.io.SafeTensors;
import org.gradwire.tensor.io.SafeTensorsFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Layers compared with records of PyTorch: results, gradients, states and text. */
class LayerReferenceTest {
    private static final String FILE = "/layers.safetensors";

    /** The records and the layers. */
    private record Reference(
            Map<String, Tensor> records, Map<String, String> texts, Map<String, Case<?>> cases) {

        static Reference read() throws IOException, URISyntaxException {
            var url = requireNonNull(LayerReferenceTest.class.getResource(FILE));
            SafeTensorsFile file = SafeTensors.open(Path.of(url.toURI()));
            Map<String, Tensor> records = new LinkedHashMap<>();
            file.names().forEach(name -> records.put(name, file.tensor(name).copy()));
            return new Reference(records, file.metadata(), LayerCases.all(records));
        }

        /** {@return the records with a prefix, by the rest of their names} */
        Map<String, Tensor> parts(String prefix) {
            Map<String, Tensor> parts = new LinkedHashMap<>();
            records.forEach((name, tensor) -> {
                if (name.startsWith(prefix)) {
                    parts.put(name.substring(prefix.length()), tensor);
                }
            });
            return parts;
        }

        List<Tensor> numbered(String prefix) {
            return LayerCases.numbered(records, prefix);
        }
    }

    static Stream<String> names() throws IOException, URISyntaxException {
        return Reference.read().cases.keySet().stream();
    }

    private static void assertClose(Tensor expected, Tensor actual, String what) {
        Tensor here = actual.isSparse() ? actual.toDense().to(Device.CPU) : actual.to(Device.CPU);
        assertArrayEquals(expected.shape(), here.shape(), what);
        assertEquals(expected.dtype(), here.dtype(), what);
        assertTrue(
                here.allclose(expected, 1e-9, 1e-9), () -> what + ": " + here + " not " + expected);
    }

    @Test
    void allRecordsHaveACase() throws Exception {
        Reference reference = Reference.read();
        assertEquals(
                new TreeSet<>(reference.texts.keySet()), new TreeSet<>(reference.cases.keySet()));
        assertEquals(75, reference.cases.size());
    }

    @ParameterizedTest
    @MethodSource("names")
    void resultsGradientsAndBuffersArePyTorchs(String name) throws Exception {
        compare(name, Device.CPU);
    }

    @ParameterizedTest
    @MethodSource("names")
    void theyAreTheSameOnAnotherDevice(String name) throws Exception {
        if (!name.equals("attention_masks") && !name.equals("attention_causal")) {
            compare(name, Device.parse("cuda:1")); // masks of the cases are on the host
        }
    }

    private static void compare(String name, Device device) throws Exception {
        Reference reference = Reference.read();
        Case<?> layer = requireNonNull(reference.cases.get(name));
        Module module = layer.module();
        module.to(DType.FLOAT64);
        module.to(device);
        module.train(layer.training());
        module.loadStateDict(reference.parts(name + "/state."));
        List<Tensor> inputs = new ArrayList<>();
        for (Tensor input : reference.numbered(name + "/in.")) {
            inputs.add(input.to(device).requiresGrad(input.dtype().isFloating()));
        }
        List<Tensor> outputs = layer.forward(inputs);
        List<Tensor> expected = reference.numbered(name + "/out.");
        assertEquals(expected.size(), outputs.size());
        for (int i = 0; i < outputs.size(); i++) {
            assertClose(expected.get(i), outputs.get(i), "output " + i);
            assertEquals(device, outputs.get(i).device());
        }
        backward(outputs, reference.numbered(name + "/seed."), device);
        compareGradients(reference, name, module, inputs);
        Map<String, Tensor> buffers = module.namedBuffers();
        reference
                .parts(name + "/after.")
                .forEach((path, buffer) ->
                        assertClose(buffer, requireNonNull(buffers.get(path)), path));
    }

    private static void backward(List<Tensor> outputs, List<Tensor> seeds, Device device) {
        Tensor sum = Tensor.zeros(DType.FLOAT64, device);
        for (int i = 0; i < seeds.size(); i++) {
            sum = sum.add(outputs.get(i).mul(seeds.get(i).to(device)).sum());
        }
        sum.backward();
    }

    private static void compareGradients(
            Reference reference, String name, Module module, List<Tensor> inputs) {
        Map<String, Tensor> gradients = reference.parts(name + "/grad.");
        assertEquals(gradients.keySet(), module.namedParameters().keySet());
        module.namedParameters()
                .forEach((path, parameter) -> {
                    Tensor gradient = requireNonNull(parameter.grad(), path);
                    assertClose(
                            requireNonNull(gradients.get(path)), gradient, "gradient of " + path);
                    assertEquals(name.endsWith("_sparse"), gradient.isSparse());
                });
        for (int i = 0; i < inputs.size(); i++) {
            Tensor expected = reference.records.get(name + "/gradin." + i);
            assertEquals(expected != null, inputs.get(i).grad() != null);
            if (expected != null) {
                assertClose(
                        expected, requireNonNull(inputs.get(i).grad()), "gradient of input " + i);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void textAndStateHavePyTorchsForm(String name) throws Exception {
        Reference reference = Reference.read();
        Module module = requireNonNull(reference.cases.get(name)).module();
        String text =
                requireNonNull(reference.texts.get(name))
                        .replace("NonDynamicallyQuantizableLinear", "Linear")
                        .replace(", inplace=False", "");
        assertEquals(text, module.toString());
        assertEquals(
                List.copyOf(reference.parts(name + "/state.").keySet()).stream().sorted().toList(),
                module.stateDict().keySet().stream().sorted().toList());
    }

    @Test
    void functionsArePyTorchs() throws Exception {
        Map<String, Tensor> records = Reference.read().parts("functional/");
        Tensor a = requireNonNull(records.get("a"));
        Tensor b = requireNonNull(records.get("b"));
        assertClose(
                requireNonNull(records.get("normalize")),
                Functional.normalize(a, 3, 0, 1e-12),
                "normalize");
        assertClose(
                requireNonNull(records.get("cosine")),
                Functional.cosineSimilarity(a, b, 1, 1e-8),
                "cosine");
        assertClose(
                requireNonNull(records.get("one_hot")),
                Functional.oneHot(Tensor.of(new long[][] {{0, 2, 1}}), 4),
                "one_hot");
        double[] gains =
                Stream.of(Init.Nonlinearity.values())
                        .mapToDouble(Init.Nonlinearity::gain)
                        .toArray();
        assertClose(requireNonNull(records.get("gains")), Tensor.of(gains), "gains");
    }
}
