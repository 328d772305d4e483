package org.gradwire.generator;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.util.ElementFilter;

/**
 * The annotation processor that writes, from the rows of all families, the class of functions
 * {@code Ops}, the interface {@code TensorMethods} of tensors, and the index of the rows.
 */
@SupportedAnnotationTypes(Marks.FAMILY)
public final class OperatorGenerator extends AbstractProcessor {
    private static final String ROW = "OperatorRow";
    private static final Set<Modifier> CONSTANT =
            Set.of(Modifier.PUBLIC, Modifier.STATIC, Modifier.FINAL);

    /** For the compiler. */
    public OperatorGenerator() {}

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        List<? extends Element> families =
                annotations.stream()
                        .flatMap(mark -> round.getElementsAnnotatedWith(mark).stream())
                        .sorted(Comparator.comparing(Element::toString))
                        .toList();
        if (!families.isEmpty()) {
            List<Row> rows = rows(families);
            write("org.gradwire.tensor.Ops", FunctionsSource.of(rows), families);
            write("org.gradwire.tensor.TensorMethods", MethodsSource.of(rows), families);
            write(
                    "org.gradwire.tensor.operator.library.OperatorIndex",
                    IndexSource.of(rows),
                    families);
        }
        return false; // other processors may read the annotation too
    }

    /** {@return the rows that are right; the others are reported} */
    private List<Row> rows(List<? extends Element> families) {
        var reader = new RowReader(processingEnv);
        List<Row> rows = new ArrayList<>();
        Map<String, Row> known = new HashMap<>();
        for (Element family : families) {
            for (VariableElement constant : constants(family)) {
                try {
                    Row row = reader.read(constant);
                    addNew(known, row, row.schema().name());
                    addNew(known, row, row.signature());
                    rows.add(row);
                } catch (RowException e) {
                    processingEnv
                            .getMessager()
                            .printError(
                                    "%s.%s: %s"
                                            .formatted(
                                                    family.getSimpleName(),
                                                    constant.getSimpleName(),
                                                    e.getMessage()),
                                    constant);
                }
            }
        }
        return rows;
    }

    private static void addNew(Map<String, Row> known, Row row, String key) {
        Row other = known.putIfAbsent(key, row);
        if (other != null) {
            throw new RowException(
                    "%s is also the name or the signature of %s.%s; rename one"
                            .formatted(key, other.family(), other.constant()));
        }
    }

    private static List<VariableElement> constants(Element family) {
        return ElementFilter.fieldsIn(family.getEnclosedElements()).stream()
                .filter(field -> field.getModifiers().containsAll(CONSTANT))
                .filter(field -> field.asType().toString().endsWith(ROW))
                .toList();
    }

    private void write(String name, String source, List<? extends Element> families) {
        try (Writer file =
                processingEnv
                        .getFiler()
                        .createSourceFile(name, families.toArray(Element[]::new))
                        .openWriter()) {
            file.write(source);
        } catch (IOException e) {
            processingEnv
                    .getMessager()
                    .printError("the source of %s cannot be written: %s".formatted(name, e));
        }
    }
}
