package org.gradwire.runtime.wire;

import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.ValueCodec;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds objects of a type inside a value: in collections, arrays and optionals of the JDK and in
 * marked records. Other classes are opaque.
 *
 * @param <T> the type
 */
final class ValueContents<T> {
    private final Values values;
    private final Class<T> type;
    private final Consumer<? super T> found;

    ValueContents(Values values, Class<T> type, Consumer<? super T> found) {
        this.values = values;
        this.type = type;
        this.found = found;
    }

    /** Search a value; {@return false if an opaque object has ended the search} */
    boolean visit(@Nullable Object value) {
        return visit(value, WireOutput.MAX_DEPTH);
    }

    private boolean visit(@Nullable Object value, int depth) {
        if (type.isInstance(value)) {
            found.accept(type.cast(value));
            return true;
        }
        if (value == null || isPlain(value)) {
            return true;
        }
        ValueCodec<?> codec = values.codecOf(value.getClass());
        if (codec != null) {
            return !codec.holdsReferences();
        }
        return depth > 0 && visitParts(value, depth - 1);
    }

    private boolean visitParts(Object value, int depth) {
        return switch (value) {
            case Object[] array -> visitAll(Arrays.asList(array), depth);
            case Optional<?> optional -> visit(optional.orElse(null), depth);
            case Collection<?> all when isOfJdk(all) -> visitAll(all, depth);
            case Map<?, ?> map when isOfJdk(map) ->
                    visitAll(map.keySet(), depth) && visitAll(map.values(), depth);
            case Record made -> visitComponents(made, depth);
            default -> false;
        };
    }

    private boolean visitAll(Collection<?> all, int depth) {
        for (Object element : all) {
            if (!visit(element, depth)) {
                return false;
            }
        }
        return true;
    }

    private boolean visitComponents(Record value, int depth) {
        try {
            return visitAll(values.components(value), depth);
        } catch (TypeMismatchException _) {
            return false; // it is not marked
        }
    }

    private static boolean isPlain(Object value) {
        return (value instanceof Number && isOfJdk(value))
                || value instanceof Boolean
                || value instanceof Character
                || value instanceof String
                || value instanceof Enum<?>
                || value instanceof WorkerInfo
                || (value.getClass().isArray()
                        && value.getClass().getComponentType().isPrimitive());
    }

    private static boolean isOfJdk(Object value) {
        return value.getClass().getClassLoader() == null;
    }
}
