package org.gradwire.generator;

import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.VariableElement;

/** Reads a row from its constant: the schema, which the initializer names, and the annotations. */
final class RowReader {
    private final ProcessingEnvironment environment;
    private final Trees trees;

    RowReader(ProcessingEnvironment environment) {
        this.environment = environment;
        this.trees = Trees.instance(environment);
    }

    /**
     * Read a row.
     *
     * @throws RowException when it is wrong
     */
    Row read(VariableElement constant) {
        Schema schema = Schema.parse(schemaText(constant));
        Row row =
                new Row(
                        Objects.requireNonNull(constant.getEnclosingElement())
                                .getSimpleName()
                                .toString(),
                        constant.getSimpleName().toString(),
                        Marks.javaName(constant).orElseGet(schema::javaName),
                        schema,
                        comment(constant),
                        Marks.returnsPair(constant),
                        forms(constant, schema));
        if (!row.forms().isEmpty() && schema.parameters().stream().noneMatch(Parameter::isSelf)) {
            throw new RowException("cannot be a method without a parameter \"Tensor self\"");
        }
        if (row.returnsPair() && !schema.isList()) {
            throw new RowException("one tensor is not a pair; the schema must end in \" -> List\"");
        }
        return row;
    }

    private static List<Form> forms(Element constant, Schema schema) {
        List<Form> forms = new ArrayList<>();
        for (AnnotationMirror method : Marks.methods(constant)) {
            forms.add(Form.parse(Marks.strings(method), schema));
        }
        return forms;
    }

    private Comment comment(Element constant) {
        String text = environment.getElementUtils().getDocComment(constant);
        if (text == null || text.isBlank()) {
            throw new RowException(
                    "no documentation comment; it becomes that of the function and its methods");
        }
        return Comment.parse(text);
    }

    /** {@return the first string of the initializer} */
    private String schemaText(VariableElement constant) {
        var found = new FirstString();
        if (trees.getTree(constant) instanceof VariableTree tree) {
            found.scan(tree.getInitializer(), null);
        }
        if (found.text == null) {
            throw new RowException("no schema; it must be the first string of the initializer");
        }
        return found.text;
    }

    private static final class FirstString extends TreeScanner<@Nullable Void, @Nullable Void> {
        private @Nullable String text;

        @Override
        public @Nullable Void visitLiteral(LiteralTree literal, @Nullable Void nothing) {
            if (text == null && literal.getValue() instanceof String value) {
                text = value;
            }
            return null;
        }
    }
}
