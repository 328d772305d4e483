package org.gradwire.processor;

import javax.annotation.processing.Messager;
import javax.lang.model.element.Element;
import javax.tools.Diagnostic;

/** Reports faults as compiler errors, at the element. */
final class Reports {
    private final Messager messager;

    Reports(Messager messager) {
        this.messager = messager;
    }

    void add(Element where, Problem problem, Object... named) {
        if (!Marks.isSuppressed(where)) {
            messager.printMessage(Diagnostic.Kind.ERROR, problem.text().formatted(named), where);
        }
    }
}
