package org.gradwire.processor;

import org.jspecify.annotations.Nullable;

import java.util.List;

import javax.lang.model.element.Element;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.ModuleElement;
import javax.lang.model.element.ModuleElement.ExportsDirective;
import javax.lang.model.element.ModuleElement.OpensDirective;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;

/**
 * Checks that the runtime can access a type: it and its enclosing types are public, in an exported
 * package.
 */
final class Reach {
    private final Elements elements;
    private final Reports reports;

    Reach(Elements elements, Reports reports) {
        this.elements = elements;
        this.reports = reports;
    }

    /** Report the obstacle to a marked element of a type; {@return whether it is accessible} */
    boolean check(Element where, String name, TypeElement type) {
        TypeElement hidden = hidden(type);
        if (hidden != null) {
            reports.add(where, Problem.HIDDEN_TYPE, name, Names.of(hidden));
        } else if (!isExported(type)) {
            String pack = elements.getPackageOf(type).getQualifiedName().toString();
            ModuleElement module = elements.getModuleOf(type);
            reports.add(where, Problem.NOT_EXPORTED, name, module.getQualifiedName(), pack, pack);
        } else {
            return true;
        }
        return false;
    }

    private static @Nullable TypeElement hidden(TypeElement type) {
        for (Element e = type; e instanceof TypeElement outer; e = e.getEnclosingElement()) {
            if (!outer.getModifiers().contains(Modifier.PUBLIC)) {
                return outer;
            }
        }
        return null;
    }

    private boolean isExported(TypeElement type) {
        ModuleElement module = elements.getModuleOf(type);
        if (module == null || module.isUnnamed() || module.isOpen()) {
            return true;
        }
        PackageElement wanted = elements.getPackageOf(type);
        return module.getDirectives().stream().anyMatch(directive -> shows(directive, wanted));
    }

    /**
     * {@return whether a directive exports a package to all, or opens it, which suffices for
     * reflection}
     */
    private static boolean shows(ModuleElement.Directive directive, PackageElement wanted) {
        return switch (directive) {
            case ExportsDirective d -> isFor(d.getPackage(), d.getTargetModules(), wanted);
            case OpensDirective d -> isFor(d.getPackage(), d.getTargetModules(), wanted);
            default -> false;
        };
    }

    private static boolean isFor(
            PackageElement shown,
            @Nullable List<? extends ModuleElement> targets,
            PackageElement wanted) {
        return targets == null && shown.equals(wanted);
    }
}
