package org.gradwire.runtime.classes;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.ScriptFunction;
import org.gradwire.rpc.WireValue;

import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.util.Set;

/** Finds the marks in a class file that permit peers to name the class. */
final class Marks {
    private static final Set<String> DESCRIPTORS =
            Set.of(
                    RemoteCallable.class.descriptorString(),
                    ScriptFunction.class.descriptorString(),
                    WireValue.class.descriptorString());

    private Marks() {}

    /** {@return whether a class, or a method or constructor that it declares, is marked} */
    static boolean areOn(ClassModel model) {
        return isMarked(model) || model.methods().stream().anyMatch(Marks::isMarked);
    }

    private static boolean isMarked(AttributedElement element) {
        return element.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
                .flatMap(attribute -> attribute.annotations().stream())
                .anyMatch(mark -> DESCRIPTORS.contains(mark.className().stringValue()));
    }
}
