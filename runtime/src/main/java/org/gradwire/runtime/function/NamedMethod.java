package org.gradwire.runtime.function;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.SerializedLambda;

/**
 * The method that a reference names.
 *
 * @param type the class that the reference names
 * @param name name of the method, {@code <init>} for a constructor
 * @param descriptor of its parameters and result
 * @param resultClass the result class for the compiler; empty for none
 * @param receiver the object that the reference is bound to; null for none
 * @param isFixed whether every evaluation of the reference names this method
 */
record NamedMethod(
        String type,
        String name,
        String descriptor,
        String resultClass,
        @Nullable Object receiver,
        boolean isFixed) {

    /** {@return the method that the compiler recorded for a reference} */
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

    /** {@return the result class of a reference for the compiler} */
    static String resultClass(SerializedLambda lambda) {
        String type = lambda.getInstantiatedMethodType();
        String result = type.substring(type.indexOf(')') + 1);
        return result.startsWith("L")
                ? result.substring(1, result.length() - 1).replace('/', '.')
                : "";
    }

    /** {@return the key of the method in {@link RemoteMethods}} */
    String key() {
        return type + "#" + name + descriptor;
    }
}
