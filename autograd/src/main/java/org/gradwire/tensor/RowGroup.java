package org.gradwire.tensor;

import org.gradwire.rpc.FunctionSchema;
import org.gradwire.spi.Operator;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Supplier;

/**
 * Rows that are made together, when one of them is used first. Their names are said apart from
 * them: making all rows, of which a program uses few, takes half a second of a worker's start.
 */
final class RowGroup {
    private static final String NAMESPACE = "aten::";

    private final Supplier<List<OperatorRow>> rows;
    private final List<String> names;

    /**
     * Create a group.
     *
     * @param names of the rows, in order, without their namespace, with blanks between them
     */
    RowGroup(Supplier<List<OperatorRow>> rows, String names) {
        this.rows = rows;
        this.names =
                List.of(names.strip().split("\\s+", -1)).stream().map(NAMESPACE::concat).toList();
    }

    /** {@return the rows themselves, made now if they were not} */
    List<OperatorRow> rows() {
        return rows.get();
    }

    List<String> names() {
        return names;
    }

    /** {@return operators that stand for the rows} */
    List<Operator> operators() {
        return names.stream().<Operator>map(name -> new LazyRow(this, name)).toList();
    }

    /** A row that is made when more than its name is asked for. */
    private static final class LazyRow implements Operator {
        private final RowGroup group;
        private final String name;
        private volatile @Nullable OperatorRow row;

        LazyRow(RowGroup group, String name) {
            this.group = group;
            this.name = name;
        }

        private OperatorRow row() {
            OperatorRow known = row;
            if (known == null) {
                known = group.rows().get(group.names.indexOf(name));
                row = known;
            }
            return known;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public FunctionSchema schema() {
            return row().schema();
        }

        @Override
        public Class<?>[] parameterTypes() {
            return row().parameterTypes();
        }

        @Override
        public boolean light(@Nullable Object[] args) {
            return row().light(args);
        }

        @Override
        public boolean scoped() {
            return true;
        }

        @Override
        public @Nullable Object apply(@Nullable Object[] args) {
            return row().apply(args);
        }
    }
}
