package org.gradwire.processor;

import javax.lang.model.element.ElementKind;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;

/** What may be wrong with a type marked as one whose values travel. */
final class ValueCheck {
    private final Reach reach;
    private final Travel travel;
    private final Reports reports;

    ValueCheck(Reach reach, Travel travel, Reports reports) {
        this.reach = reach;
        this.travel = travel;
        this.reports = reports;
    }

    void check(TypeElement type) {
        String name = Names.of(type);
        if (type.getKind() != ElementKind.RECORD && type.getKind() != ElementKind.ENUM) {
            reports.add(type, Problem.NEITHER_RECORD_NOR_ENUM, name);
        } else if (reach.check(type, name, type)) {
            for (RecordComponentElement component : type.getRecordComponents()) {
                travel.check(
                        component, "component %s of %s".formatted(component.getSimpleName(), name));
            }
        }
    }
}
