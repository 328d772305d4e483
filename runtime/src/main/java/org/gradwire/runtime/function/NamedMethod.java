package org.gradwire.runtime.function;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.SerializedLambda;

/**
 * The method that a reference names.
 *
 * @param type name of the class that the reference names it by
 * @param name the method's, {@code <init>} for a constructor
 * @param descriptor of its parameters and result
 * @param resultClass name of the class that the compiler took as the result; empty for none
 * @param receiver the object that the reference is bound to; null for none
 * @param isFixed whether all references that are made where this one was name that method
 */
record NamedMethod(
        String type,
        String name,
        String descriptor,
        String resultClass,
        @Nullable Object receiver,
        boolean isFixed) {

    /** {@return the method that the compiler wrote down for a reference} */
    static NamedMethod of(SerializedLambda lambda) {
        boolean isFixed = lambda.getCapturedArgCount() == 0;
        return new NamedMethod(
                lambda.getImplClass().replace('/', '.'),
                lambda.getImplMethodName(),
                lambda.getImplMethodSignature(),
                resultClass(lambda),
                isFixed ? null : lambda.getCapturedArg(0),
                isFixed);
    }

    /** {@return the name of the class that the compiler took as a reference's result} */
    static String resultClass(SerializedLambda lambda) {
        String type = lambda.getInstantiatedMethodType();
        String result = type.substring(type.indexOf(')') + 1);
        return result.startsWith("L")
                ? result.substring(1, result.length() - 1).replace('/', '.')
                : "";
    }

    /** {@return the name by which {@link RemoteMethods} finds it} */
    String key() {
        return type + "#" + name + descriptor;
    }
}
