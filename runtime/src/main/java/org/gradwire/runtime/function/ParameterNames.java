package org.gradwire.runtime.function;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Executable;
import java.lang.reflect.Parameter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The names of a method's parameters: from its class file, or else from the file that the
 * annotation processor generated.
 */
final class ParameterNames {
    /** Folder of the files that {@code org.gradwire.processor.ParameterNames} writes. */
    private static final String FOLDER = "/META-INF/gradwire/parameters/";

    private final List<Parameter> parameters;
    private final List<String> written; // one for each parameter, or none

    private ParameterNames(List<Parameter> parameters, List<String> written) {
        this.parameters = parameters;
        this.written = written.size() == parameters.size() ? written : List.of();
    }

    static ParameterNames of(Executable method) {
        List<Parameter> parameters = List.of(method.getParameters());
        boolean present = parameters.stream().allMatch(Parameter::isNamePresent);
        return new ParameterNames(parameters, present ? List.of() : written(method));
    }

    /** {@return whether the names are those of the source} */
    boolean known() {
        return !written.isEmpty() || parameters.stream().allMatch(Parameter::isNamePresent);
    }

    /** {@return the name of one of the parameters} */
    String of(Parameter parameter) {
        return written.isEmpty() ? parameter.getName() : written.get(parameters.indexOf(parameter));
    }

    /** {@return the names that the processor generated; empty if there are none} */
    private static List<String> written(Executable method) {
        Class<?> type = method.getDeclaringClass();
        try (InputStream in = type.getResourceAsStream(FOLDER + type.getName())) {
            return in == null ? List.of() : named(text(in), signature(method));
        } catch (IOException _) {
            return List.of(); // calls without keyword arguments need no names
        }
    }

    private static String text(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    private static List<String> named(String text, String signature) {
        return text.lines()
                .map(line -> List.of(line.split(" ")))
                .filter(line -> line.getFirst().equals(signature))
                .map(line -> line.subList(1, line.size()))
                .findFirst()
                .orElse(List.of());
    }

    private static String signature(Executable method) {
        String named = RemoteMethods.nameOf(method.getDeclaringClass(), method);
        return named.substring(named.indexOf('#') + 1);
    }
}
