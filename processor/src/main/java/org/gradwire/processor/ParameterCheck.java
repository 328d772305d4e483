package org.gradwire.processor;

import org.jspecify.annotations.Nullable;

import java.util.List;

import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.VariableElement;

/** Checks the parameters of a remote function: their types and defaults. */
final class ParameterCheck {
    private final Travel travel;
    private final Reports reports;

    ParameterCheck(Travel travel, Reports reports) {
        this.travel = travel;
        this.reports = reports;
    }

    void check(ExecutableElement function) {
        // A script function also runs locally, where it accepts any value.
        if (!Marks.isScript(function)) {
            checkTypes(function);
        }
        checkOrder(function);
        function.getParameters().forEach(parameter -> checkDefault(parameter, function));
    }

    /**
     * Check the types of the parameters. The first parameter of a function without a receiver may
     * be the value of an RRef, which does not travel.
     */
    private void checkTypes(ExecutableElement function) {
        List<? extends VariableElement> parameters = function.getParameters();
        boolean first = takesReferent(function);
        for (VariableElement parameter : parameters) {
            String subject = Names.of(parameter, function);
            if (first) {
                travel.checkNoFuture(parameter, subject);
            } else {
                travel.check(parameter, subject);
            }
            first = false;
        }
    }

    private static boolean takesReferent(ExecutableElement function) {
        return function.getKind() == ElementKind.CONSTRUCTOR
                || function.getModifiers().contains(Modifier.STATIC);
    }

    private void checkOrder(ExecutableElement function) {
        VariableElement last = null;
        for (VariableElement parameter : function.getParameters()) {
            if (Marks.defaultText(parameter) != null) {
                last = parameter;
            } else if (last != null) {
                reports.add(
                        parameter,
                        Problem.DEFAULT_BEFORE_REQUIRED,
                        parameter.getSimpleName(),
                        Names.of(function),
                        last.getSimpleName());
            }
        }
    }

    private void checkDefault(VariableElement parameter, ExecutableElement function) {
        String text = Marks.defaultText(parameter);
        @Nullable String advice =
                text == null ? null : DefaultText.advice(parameter.asType(), text);
        if (text != null && advice != null) {
            reports.add(
                    parameter,
                    Problem.UNREADABLE_DEFAULT,
                    text,
                    parameter.getSimpleName(),
                    Names.of(function),
                    Names.of(parameter.asType()),
                    advice);
        }
    }
}
