package org.gradwire.tensor.operator.library;

import org.gradwire.rpc.FunctionSchema;
import org.gradwire.spi.Operator;
import org.gradwire.tensor.operator.OperatorRow;
import org.jspecify.annotations.Nullable;

import java.lang.reflect.Field;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rows of one family: the constants of its class, which is initialized when one of them is
 * first used. Their names are listed separately, since initializing all families, of which a
 * program uses few, adds half a second to a worker's start.
 */
final class RowGroup {
    private final Class<?> family;
    private final List<String> names;

    /**
     * Create a group.
     *
     * @param family declares each row as a public constant
     * @param names of the rows, in any order
     */
    RowGroup(Class<?> family, List<String> names) {
        this.family = family;
        this.names = names;
    }

    /** {@return the rows, ordered by name; initializes the family} */
    List<OperatorRow> rows() {
        return Stream.of(family.getFields())
                .filter(field -> field.getType() == OperatorRow.class)
                .map(RowGroup::constant)
                .sorted(Comparator.comparing(OperatorRow::name))
                .toList();
    }

    private static OperatorRow constant(Field field) {
        try {
            return (OperatorRow) field.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(field + " is not accessible; make it public", e);
        }
    }

    /** {@return the row with a name; initializes the family} */
    OperatorRow row(String name) {
        return rows().stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no row is named " + name));
    }

    List<String> names() {
        return names;
    }

    /** {@return lazy operators, one for each row} */
    List<Operator> operators() {
        return names.stream().<Operator>map(name -> new LazyRow(this, name)).toList();
    }

    /** A row whose family is initialized when more than the name is needed. */
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
                known = group.row(name);
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
        public boolean runsOnPoller(@Nullable Object[] args) {
            return row().runsOnPoller(args);
        }

        @Override
        public boolean nonRetaining() {
            return true;
        }

        @Override
        public @Nullable Object apply(@Nullable Object[] args) {
            return row().apply(args);
        }
    }
}
