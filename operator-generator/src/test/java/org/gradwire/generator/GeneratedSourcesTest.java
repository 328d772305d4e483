package org.gradwire.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

class GeneratedSourcesTest {
    private static final String SUM =
            """
                /**
                 * Sum {@code self} over dimensions.
                 *
                 * @param dim none for all
                 * @param keepdim whether they stay,
                 *     with extent 1
                 */
                @TensorMethod
                @TensorMethod("keepdim = false")
                @TensorMethod({"dim = [0, 1]", "keepdim = false"})
                public static final OperatorRow SUM =
                        row("aten::sum.dim_IntList(Tensor self, int[] dim, boolean keepdim)");
            """;
    private static final String OTHERS =
            """
                /** Find the largest. */
                @JavaName("largest")
                @ReturnsPair
                @TensorMethod
                public static final OperatorRow MAX =
                        row("aten::max.dim(Tensor self, int? keep_dim) -> List");

                /** Not a row of the family. */
                static final OperatorRow HIDDEN = row();
            """;

    @TempDir Path output;

    private Compilation compiled() {
        var compilation = new Compilation(output).family("SumRows", SUM).family("MaxRows", OTHERS);
        assertEquals(List.of(), compilation.run());
        return compilation;
    }

    private static void assertHas(String source, String part) {
        assertTrue(source.contains(part), () -> "expected\n" + part + "\nin\n" + source);
    }

    @Test
    void eachRowIsAFunctionWithItsCommentAndName() {
        String ops = compiled().generated("Ops");
        assertHas(
                ops,
                """
                    /**
                     * Sum {@code self} over dimensions.
                     *
                     * @param dim none for all
                     * @param keepdim whether they stay,
                     *     with extent 1
                     */
                    @Builtin("aten::sum.dim_IntList")
                    public static Tensor sum(Tensor self, int[] dim, boolean keepdim) {
                        return (Tensor) SumHandles.SUM.call(self, dim, keepdim);
                    }
                """);
        assertHas(
                ops,
                """
                    public static List<Tensor> largest(Tensor self, @Nullable Integer keepDim) {
                        return list(MaxHandles.MAX.call(self, keepDim));
                    }
                """);
    }

    /** The rows of a family are made when one of them is needed, and no others. */
    @Test
    void operatorsOfAFamilyAreFoundByNameTogether() {
        assertHas(
                compiled().generated("Ops"),
                """
                    private static final class SumHandles {
                        static final OperatorHandle SUM = Dispatcher.find("aten::sum.dim_IntList");
                    }
                """);
    }

    @Test
    void methodsHaveTheParametersThatAreNotFixed() {
        String methods = compiled().generated("TensorMethods");
        assertHas(
                methods,
                """
                     *     with extent 1
                     */
                    default Tensor sum(int[] dim, boolean keepdim) {
                        return Ops.sum((Tensor) this, dim, keepdim);
                    }
                """);
        assertHas(
                methods,
                """
                    /**
                     * Sum {@code this} over dimensions.
                     *
                     * <p>With {@code keepdim = false}.
                     *
                     * @param dim none for all
                     */
                    default Tensor sum(int... dim) {
                        return Ops.sum((Tensor) this, dim, false);
                    }
                """);
        assertHas(
                methods,
                """
                    /**
                     * Sum {@code this} over dimensions.
                     *
                     * <p>With {@code dim = [0, 1]}, {@code keepdim = false}.
                     */
                    default Tensor sum() {
                        return Ops.sum((Tensor) this, new int[] {0, 1}, false);
                    }
                """);
    }

    @Test
    void pairIsReturnedAsValuesAndIndices() {
        assertHas(
                compiled().generated("TensorMethods"),
                """
                    default ValuesAndIndices largest(@Nullable Integer keepDim) {
                        return ValuesAndIndices.of(Ops.largest((Tensor) this, keepDim));
                    }
                """);
    }

    @Test
    void indexHasTheNamesOfPublicRowsByFamily() {
        assertHas(
                compiled().generated("operator/library/OperatorIndex"),
                """
                                new RowGroup(MaxRows.class, List.of("aten::max.dim")),
                                new RowGroup(SumRows.class, List.of("aten::sum.dim_IntList")));
                """);
    }
}
