package org.gradwire.tensor.operator;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Builtin;
import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.spi.Operator;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorDefaultParser;
import org.gradwire.tensor.dispatch.Dispatcher;
import org.gradwire.tensor.operator.library.TensorOperators;
import org.junit.jupiter.api.Test;

import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The table as remote callers see it. */
class OperatorTableTest {

    private static Map<String, Operator> byName() {
        return new TensorOperators()
                .operators().stream()
                        .collect(Collectors.toMap(Operator::name, operator -> operator));
    }

    @Test
    void eachBuiltinMethodHasTheRowItNames() {
        Map<String, Operator> rows = byName();
        Set<String> named = new HashSet<>();
        for (Method method : Ops.class.getDeclaredMethods()) {
            if (!Modifier.isPublic(method.getModifiers())) {
                continue;
            }
            Builtin builtin = method.getAnnotation(Builtin.class);
            assertNotNull(builtin, method.toString());
            Operator row = rows.get(builtin.value());
            assertNotNull(row, builtin.value());
            Class<?>[] boxed =
                    MethodType.methodType(void.class, method.getParameterTypes())
                            .wrap()
                            .parameterArray();
            assertArrayEquals(boxed, row.parameterTypes(), method.toString());
            assertEquals(method.getReturnType().getSimpleName(), row.schema().returnType());
            assertTrue(named.add(builtin.value()), "named twice: " + builtin.value());
        }
        assertEquals(rows.keySet(), named);
    }

    /** Each family is found when one of its functions is called; this looks at all of them. */
    @Test
    void eachHandleIsTheRowOfItsName() throws IllegalAccessException {
        Set<String> found = new HashSet<>();
        for (Class<?> family : Ops.class.getDeclaredClasses()) {
            for (Field handle : family.getDeclaredFields()) {
                handle.setAccessible(true);
                found.add(((OperatorRow) handle.get(null)).name());
            }
        }
        assertEquals(byName().keySet(), found);
    }

    @Test
    void operatorWithoutRowIsNotFound() {
        assertFails(
                IllegalStateException.class,
                "no row is named aten::missing",
                () -> Dispatcher.find("aten::missing"));
    }

    @Test
    void schemaHasNamesOfPyTorch() {
        FunctionSchema schema = assertRow("aten::sum.dim_IntList").schema();
        assertEquals("aten::sum", schema.name());
        assertEquals("sum(Tensor self, int[] dim, boolean keepdim) -> Tensor", schema.toString());
    }

    private static Operator assertRow(String name) {
        Operator row = byName().get(name);
        assertNotNull(row, name);
        return row;
    }

    @Test
    void rowsAreAppliedToArgumentsOfTheirTypes() {
        Operator add = assertRow("aten::add.Tensor");
        Object sum = add.apply(new Object[] {Tensor.ones(2), Tensor.ones(2)});
        assertTrue(sum instanceof Tensor tensor && tensor.equal(Tensor.full(2.0, 2)));
        assertFails(
                TypeMismatchException.class,
                "expected a value of type 'Tensor' for argument 'other' but instead found type 'String'",
                () -> add.apply(new Object[] {Tensor.ones(2), "x"}));
        assertFails(
                IllegalArgumentException.class,
                "expected 2 argument(s) but received 1",
                () -> add.apply(new Object[] {Tensor.ones(2)}));
        assertFails(
                TypeMismatchException.class,
                "for argument 'tensors'",
                () -> assertRow("aten::stack").apply(new Object[] {List.of("x"), 0}));
    }

    @Test
    void lightMeansSmall() {
        Object[] small = {Tensor.ones(3, 3), Tensor.ones(3, 3)};
        Object[] large = {Tensor.ones(300, 300), Tensor.ones(300, 300)};
        for (String name : Arrays.asList("aten::add.Tensor", "aten::matmul", "aten::mm")) {
            assertTrue(assertRow(name).runsOnPoller(small), name);
            assertFalse(assertRow(name).runsOnPoller(large), name);
        }
        assertTrue(assertRow("aten::t").runsOnPoller(new Object[] {Tensor.ones(300, 300)}));
    }

    @Test
    void nodesHaveNamesOfPyTorch() {
        var names = new HashMap<String, String>();
        for (OperatorRow row : TensorOperators.rows()) {
            if (row.recordsNode()) {
                assertTrue(row.nodeName().matches("[A-Z]\\w*Backward[0-9]"), row.nodeName());
                names.put(row.name(), row.nodeName());
            }
        }
        assertEquals("AddBackward0", names.get("aten::add.Tensor"));
        assertEquals("MmBackward0", names.get("aten::mm"));
        assertEquals("NllLossBackward0", names.get("aten::nll_loss"));
    }

    @Test
    void defaultsAreReadAsTensors() {
        var parser = new TensorDefaultParser();
        assertTrue(parser.parse("[3, 3]").equal(Tensor.of(3, 3)));
        assertTrue(parser.parse("[1.5, 2]").equal(Tensor.of(1.5f, 2f)));
        assertTrue(parser.parse("7").equal(Tensor.scalar(7)));
        assertTrue(parser.parse("-2.5").equal(Tensor.scalar(-2.5)));
        assertTrue(
                parser.parse("[[1, 2], [3, 4]]").equal(Tensor.of(new long[][] {{1, 2}, {3, 4}})));
        assertEquals(0, parser.parse("[]").numel());
        for (String wrong : List.of("", "[", "[1,,2]", "[[1, 2], [3]]", "[1] 2", "x", "[1, [2]]")) {
            assertFails(
                    IllegalArgumentException.class, "is not a tensor", () -> parser.parse(wrong));
        }
    }
}
