package org.gradwire.optim;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The numeric and boolean components of an options record as saved values: booleans as 0 and 1,
 * under PyTorch's names ({@code weight_decay}).
 */
final class OptionValues {

    private OptionValues() {}

    static Map<String, Double> of(Record options) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        for (RecordComponent component : options.getClass().getRecordComponents()) {
            if (isNumber(component.getType())) {
                numbers.put(name(component), number(value(options, component)));
            }
        }
        return numbers;
    }

    /**
     * Return options with other numbers; other components stay.
     *
     * @throws IllegalArgumentException when a number is missing or not allowed
     */
    static <O extends Record> O with(O options, Map<String, Double> numbers) {
        RecordComponent[] components = options.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            Class<?> type = components[i].getType();
            values[i] =
                    isNumber(type)
                            ? fromNumber(type, number(numbers, name(components[i])))
                            : value(options, components[i]);
        }
        return make(options, components, values);
    }

    private static double number(Map<String, Double> numbers, String name) {
        Double number = numbers.get(name);
        if (number == null) {
            throw new IllegalArgumentException(
                    "the saved state has no option '%s'; it has %s"
                            .formatted(name, numbers.keySet()));
        }
        return number;
    }

    private static boolean isNumber(Class<?> type) {
        return type == double.class || type == boolean.class || type == int.class;
    }

    private static double number(Object value) {
        return switch (value) {
            case Boolean set -> set ? 1 : 0;
            case Number number -> number.doubleValue();
            default -> throw new AssertionError(value.getClass());
        };
    }

    private static Object fromNumber(Class<?> type, double number) {
        if (type == boolean.class) {
            return number != 0;
        }
        return type == int.class ? (Object) (int) number : (Object) number;
    }

    private static String name(RecordComponent component) {
        return component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    private static Object value(Record options, RecordComponent component) {
        try {
            return component.getAccessor().invoke(options);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("the options %s fail".formatted(options), e.getCause());
        } catch (IllegalAccessException e) {
            throw inaccessible(options, e);
        }
    }

    @SuppressWarnings("unchecked") // the constructor of the options' class
    private static <O extends Record> O make(
            O options, RecordComponent[] components, Object[] values) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return (O) options.getClass().getDeclaredConstructor(types).newInstance(values);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "the saved options %s are refused: %s"
                            .formatted(Arrays.toString(values), e.getCause()),
                    e.getCause());
        } catch (IllegalAccessException e) {
            throw inaccessible(options, e);
        } catch (NoSuchMethodException | InstantiationException e) {
            throw new LinkageError("every record has this constructor", e);
        }
    }

    private static IllegalArgumentException inaccessible(Record options, Exception cause) {
        return new IllegalArgumentException(
                "the options %s cannot be saved or loaded: make the record public, and export its package"
                        .formatted(options.getClass().getName()),
                cause);
    }
}
