package org.gradwire.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.List;

/** Each wrong row is an error of the compilation that names the row. */
class RejectedRowsTest {
    private static final String SCHEMA = "aten::neg(Tensor self)";

    record Wrong(String constants, String... messages) {
        @Override
        public String toString() {
            return messages[0];
        }
    }

    /** A row with a comment, after annotations. */
    private static String row(String name, String schema, String... annotations) {
        return """
        /** Compute. */
        %s
        public static final OperatorRow %s = row("%s", "NegBackward0");
        """
                .formatted(String.join("\n", annotations), name, schema);
    }

    private static List<Wrong> wrong() {
        return List.of(
                new Wrong(
                        row("NEG", "neg(Tensor self)"),
                        "WrongRows.NEG: \"neg(Tensor self)\" is not a schema; expected \"aten::name.overload(Type name, ...) -> Type\""),
                new Wrong(
                        row("NEG", "aten::neg(Tensor)"),
                        "WrongRows.NEG: \"Tensor\" is not a parameter; expected \"Type name\""),
                new Wrong(
                        row("NEG", "aten::neg(Tensor self, Matrix other)"),
                        "WrongRows.NEG: unknown type Matrix; known are DType, Scalar, String, Tensor, Tensor[], boolean, float, int, int[], and all but arrays with ?"),
                new Wrong(
                        row("NEG", "aten::neg(Tensor self) -> int"),
                        "WrongRows.NEG: unknown result type int; known are Tensor and List"),
                new Wrong(
                        row("NEG", "aten::neg(Tensor self, int class)"),
                        "WrongRows.NEG: the parameter name class is a keyword of Java"),
                new Wrong(
                        row("NEG", SCHEMA) + row("MINUS", SCHEMA),
                        "WrongRows.MINUS: aten::neg is also the name or the signature of WrongRows.NEG; rename one"),
                new Wrong(
                        row("NEG", SCHEMA) + row("MINUS", "aten::neg.Tensor(Tensor self)"),
                        "WrongRows.MINUS: neg[Tensor] is also the name or the signature of WrongRows.NEG; rename one"),
                new Wrong(
                        "/** Compute. */ public static final OperatorRow NEG = row();",
                        "WrongRows.NEG: no schema; it must be the first string of the initializer"),
                new Wrong(
                        "public static final OperatorRow NEG = row(\"" + SCHEMA + "\");",
                        "WrongRows.NEG: no documentation comment; it becomes that of the function and its methods"),
                new Wrong(
                        row("STACK", "aten::stack(Tensor[] tensors, int dim)", "@TensorMethod"),
                        "WrongRows.STACK: cannot be a method without a parameter \"Tensor self\""),
                new Wrong(
                        row("SORT", "aten::sort(Tensor self)", "@ReturnsPair"),
                        "WrongRows.SORT: one tensor is not a pair; the schema must end in \" -> List\""),
                new Wrong(
                        row("SUM", "aten::sum(Tensor self, int dim)", "@TensorMethod(\"dim\")"),
                        "WrongRows.SUM: \"dim\" is not of the form \"name = value\""),
                new Wrong(
                        row("SUM", "aten::sum(Tensor self, int dim)", "@TensorMethod(\"at = 1\")"),
                        "WrongRows.SUM: no parameter is named at"),
                new Wrong(
                        row("SUM", "aten::sum(Tensor self, int dim)", "@TensorMethod(\"dim = x\")"),
                        "WrongRows.SUM: x is not a value of type int"),
                new Wrong(
                        row("NEG", "neg") + row("ABS", "abs"),
                        "WrongRows.NEG: \"neg\" is not a schema; expected \"aten::name.overload(Type name, ...) -> Type\"",
                        "WrongRows.ABS: \"abs\" is not a schema; expected \"aten::name.overload(Type name, ...) -> Type\""));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void wrongRowIsAnErrorThatNamesIt(Wrong wrong, @TempDir Path output) {
        assertEquals(
                List.of(wrong.messages()),
                new Compilation(output).family("WrongRows", wrong.constants()).run());
    }
}
