package org.gradwire.processor;

import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Types;

/** Checks a remote function. */
final class FunctionCheck {
    private final WireTable table;
    private final Types types;
    private final Reach reach;
    private final ReferenceCheck references;
    private final ParameterCheck parameters;
    private final Reports reports;

    FunctionCheck(
            WireTable table,
            Types types,
            Reach reach,
            ReferenceCheck references,
            ParameterCheck parameters,
            Reports reports) {
        this.table = table;
        this.types = types;
        this.reach = reach;
        this.references = references;
        this.parameters = parameters;
        this.reports = reports;
    }

    /** Check a function that is marked itself. */
    void checkMarked(ExecutableElement function) {
        // A call of an operator travels as the operator's name, regardless of other marks.
        if (isMarkedItself(function) && !Marks.isBuiltin(function) && isCallable(function)) {
            references.check(function);
            checkSignature(function);
        }
    }

    /** Check {@code @NonRetaining}, which alone does not make a function callable. */
    void checkNonRetaining(ExecutableElement function) {
        if (!Marks.isNonRetaining(function) || Marks.isBuiltin(function)) {
            return;
        }
        if (!Marks.isCallable(function)) {
            reports.add(function, Problem.SCOPED_ALONE, Names.of(function));
        } else if (Marks.isAsync(function)) {
            reports.add(function, Problem.SCOPED_ASYNC, Names.of(function));
        }
    }

    /** Check the functions that a type's mark makes callable, except those with their own mark. */
    void checkMembers(TypeElement type) {
        if (!reach.check(type, Names.of(type), type)) {
            return;
        }
        type.getEnclosedElements().stream()
                .filter(ExecutableElement.class::isInstance)
                .map(ExecutableElement.class::cast)
                .filter(member -> member.getModifiers().contains(Modifier.PUBLIC))
                .filter(member -> !isMarkedItself(member) && !Marks.isBuiltin(member))
                .forEach(this::checkSignature);
    }

    private static boolean isMarkedItself(ExecutableElement member) {
        return Marks.isRemoteCallable(member) || Marks.isScript(member) || Marks.isAsync(member);
    }

    private boolean isCallable(ExecutableElement function) {
        String name = Names.of(function);
        TypeElement type = Names.ownerOf(function);
        boolean byType = Marks.isRemoteCallable(type);
        if (!byType && !Marks.isRemoteCallable(function) && !Marks.isScript(function)) {
            reports.add(function, Problem.ASYNC_ALONE, name);
        } else if (!function.getModifiers().contains(Modifier.PUBLIC)) {
            reports.add(function, Problem.NOT_PUBLIC, name);
        } else {
            return byType || reach.check(function, name, type);
        }
        return false;
    }

    private void checkSignature(ExecutableElement function) {
        if (Marks.isScript(function) && !function.getModifiers().contains(Modifier.STATIC)) {
            reports.add(function, Problem.SCRIPT_NOT_STATIC, Names.of(function));
        }
        checkResult(function);
        parameters.check(function);
    }

    /** Check the result; only futures are refused, since {@code remote} does not send a result. */
    private void checkResult(ExecutableElement function) {
        TypeMirror result = function.getReturnType();
        TypeMirror erased = types.erasure(result);
        if (Marks.isAsync(function)) {
            if (!table.takesFuture(erased)) {
                reports.add(
                        function,
                        Problem.ASYNC_WITHOUT_FUTURE,
                        Names.of(function),
                        Names.of(result));
            }
        } else if (!Marks.isScript(function) && table.isFuture(erased)) {
            reports.add(function, Problem.FUTURE_RETURNED, Names.of(function), Names.of(result));
        }
    }
}
