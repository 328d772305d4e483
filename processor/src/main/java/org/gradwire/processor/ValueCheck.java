package org.gradwire.processor;

import javax.lang.model.element.ElementKind;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Types;

/** Checks a type marked {@code @WireValue}. */
final class ValueCheck {
    private final WireTable table;
    private final Types types;
    private final Reach reach;
    private final Travel travel;
    private final ModuleCheck modules;
    private final Reports reports;

    ValueCheck(
            WireTable table,
            Types types,
            Reach reach,
            Travel travel,
            ModuleCheck modules,
            Reports reports) {
        this.table = table;
        this.types = types;
        this.reach = reach;
        this.travel = travel;
        this.modules = modules;
        this.reports = reports;
    }

    void check(TypeElement type) {
        String name = Names.of(type);
        if (type.getKind() == ElementKind.RECORD || type.getKind() == ElementKind.ENUM) {
            if (reach.check(type, name, type)) {
                checkComponents(type, name);
            }
        } else if (table.isModule(types.erasure(type.asType()))) {
            if (reach.check(type, name, type)) {
                modules.check(type, name);
            }
        } else {
            reports.add(type, Problem.NEITHER_RECORD_NOR_ENUM, name);
        }
    }

    private void checkComponents(TypeElement type, String name) {
        for (RecordComponentElement component : type.getRecordComponents()) {
            travel.check(
                    component, "component %s of %s".formatted(component.getSimpleName(), name));
        }
    }

    /** Check a type marked as an interface of modules. */
    void checkInterface(TypeElement type) {
        if (type.getKind() != ElementKind.INTERFACE) {
            reports.add(type, Problem.NO_MODULE_INTERFACE, Names.of(type));
        }
    }
}
