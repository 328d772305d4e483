package org.gradwire.runtime.function;

import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.TypeMismatchException;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.SerializedLambda;

/**
 * Resolves method references, without {@code opens} in the program's module: writing a reference to
 * an object stream makes the JDK produce a {@link SerializedLambda}, which is intercepted. Nothing
 * is serialized.
 */
final class MethodReferences {

    private MethodReferences() {}

    /**
     * Return the method that a reference names.
     *
     * @throws TypeMismatchException when it is not a method reference
     */
    static NamedMethod resolve(RpcFunction<?> function) {
        SerializedLambda lambda = Catcher.write(function);
        if (lambda == null) {
            throw new TypeMismatchException(
                    "%s is not a method reference; write a remote function as Type::method"
                            .formatted(function.getClass().getName()));
        }
        Class<?> host = function.getClass().getNestHost();
        NamedMethod method =
                KotlinReferences.areIn(host)
                        ? KotlinReferences.resolve(host, lambda)
                        : NamedMethod.of(lambda);
        if (method == null || method.name().startsWith("lambda$")) {
            throw new TypeMismatchException(
                    "a lambda in %s cannot be called remotely, only a reference to a method can (code never travels); write Type::method, and no method with variable arguments"
                            .formatted(lambda.getCapturingClass().replace('/', '.')));
        }
        return method;
    }

    private static final class Catcher extends ObjectOutputStream {
        private @Nullable SerializedLambda caught;

        private Catcher() throws IOException {
            super(OutputStream.nullOutputStream());
            enableReplaceObject(true);
        }

        static @Nullable SerializedLambda write(Object function) {
            try (var catcher = new Catcher()) {
                catcher.writeObject(function);
                return catcher.caught;
            } catch (NotSerializableException _) {
                return null; // an object that implements the interface
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "cannot resolve the method reference " + function.getClass().getName(), e);
            }
        }

        @Override
        protected @Nullable Object replaceObject(Object object) {
            if (object instanceof SerializedLambda lambda && caught == null) {
                caught = lambda;
                return null;
            }
            return object;
        }
    }
}
