package org.gradwire.runtime.function;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The only call in a method that forwards its arguments, in order, and does nothing else.
 *
 * @param type name of the class
 * @param name of the method, {@code <init>} for a constructor
 * @param descriptor of its parameters and result
 * @param hasReceiver whether it is called on an object
 * @param takesFirst whether the first argument is passed on; if not, it is a Kotlin object whose
 *     functions are static
 */
record ForwardedCall(
        String type, String name, String descriptor, boolean hasReceiver, boolean takesFirst) {
    private static final ClassValue<Map<String, Optional<ForwardedCall>>> KNOWN =
            new ClassValue<>() {
                @Override
                protected Map<String, Optional<ForwardedCall>> computeValue(Class<?> type) {
                    return new ConcurrentHashMap<>();
                }
            };

    /**
     * Read a static method.
     *
     * @return empty if it does more, or does not exist
     */
    static Optional<ForwardedCall> of(Class<?> type, String name, String descriptor) {
        return KNOWN.get(type)
                .computeIfAbsent(name + descriptor, _ -> read(type, name, descriptor));
    }

    private static Optional<ForwardedCall> read(Class<?> type, String name, String descriptor) {
        return model(type).methods().stream()
                .filter(method -> method.methodName().equalsString(name))
                .filter(method -> method.methodType().equalsString(descriptor))
                .findFirst()
                .flatMap(MethodModel::code)
                .flatMap(code -> new Body(MethodTypeDesc.ofDescriptor(descriptor)).read(code));
    }

    private static ClassModel model(Class<?> type) {
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("there is no file of " + type);
            }
            return ClassFile.of().parse(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the file of " + type, e);
        }
    }

    /** The state of the method's stack, after the instructions read so far. */
    private static final class Body {
        private static final String CHECKS = "kotlin/jvm/internal/Intrinsics";
        private static final String UNIT = "kotlin/Unit";

        private final MethodTypeDesc parameters;
        private final List<Integer> loaded = new ArrayList<>();
        private boolean hasConstant;
        private @Nullable InvokeInstruction call;

        Body(MethodTypeDesc parameters) {
            this.parameters = parameters;
        }

        Optional<ForwardedCall> read(CodeModel code) {
            for (CodeElement element : code) {
                if (element instanceof Instruction instruction && !accepts(instruction)) {
                    return Optional.empty();
                }
            }
            return call == null || hasConstant ? Optional.empty() : forwarded(call);
        }

        private boolean accepts(Instruction instruction) {
            return switch (instruction) {
                case LoadInstruction load -> call == null && loaded.add(load.slot());
                case ConstantInstruction _ -> loadsConstant();
                case InvokeInstruction invoke -> accepts(invoke);
                case FieldInstruction field -> field.owner().name().equalsString(UNIT);
                case StackInstruction stack -> isCopyOrDrop(stack.opcode());
                case NewObjectInstruction _, TypeCheckInstruction _, ReturnInstruction _ -> true;
                default -> false;
            };
        }

        private boolean loadsConstant() {
            hasConstant = true;
            return true;
        }

        private static boolean isCopyOrDrop(Opcode opcode) {
            return opcode == Opcode.DUP || opcode == Opcode.POP;
        }

        private boolean accepts(InvokeInstruction invoke) {
            if (invoke.owner().name().equalsString(CHECKS)) {
                hasConstant = false; // the name of the checked parameter
                if (call == null) {
                    loaded.clear(); // the checked parameter
                }
                return true;
            }
            if (isBoxing(invoke)) {
                return true;
            }
            boolean isFirst = call == null && !hasConstant;
            call = invoke;
            return isFirst;
        }

        private static boolean isBoxing(InvokeInstruction invoke) {
            String name = invoke.name().stringValue();
            return invoke.owner().name().stringValue().startsWith("java/lang/")
                    && (name.equals("valueOf") || name.endsWith("Value"));
        }

        private Optional<ForwardedCall> forwarded(InvokeInstruction invoke) {
            boolean isConstructor = invoke.name().equalsString("<init>");
            boolean hasReceiver = invoke.opcode() != Opcode.INVOKESTATIC && !isConstructor;
            int taken = invoke.typeSymbol().parameterCount() + (hasReceiver ? 1 : 0);
            List<Integer> slots = slots();
            boolean takesFirst = loaded.equals(slots);
            boolean dropsFirst = !slots.isEmpty() && loaded.equals(slots.subList(1, slots.size()));
            if (loaded.size() != taken || !(takesFirst || dropsFirst)) {
                return Optional.empty();
            }
            return Optional.of(
                    new ForwardedCall(
                            invoke.owner().name().stringValue().replace('/', '.'),
                            invoke.name().stringValue(),
                            invoke.type().stringValue(),
                            hasReceiver,
                            takesFirst));
        }

        /** {@return the slots of the method's parameters} */
        private List<Integer> slots() {
            List<Integer> slots = new ArrayList<>();
            int at = 0;
            for (ClassDesc parameter : parameters.parameterList()) {
                slots.add(at);
                at += parameter.descriptorString().matches("[JD]") ? 2 : 1;
            }
            return slots;
        }
    }
}
