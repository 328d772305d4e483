package org.gradwire.processor;

import java.util.stream.Stream;

/** Faults of modules, with a stub of {@code org.gradwire.nn}. */
final class ModuleFaults {
    private static final String UNMARKED =
            ", which is not marked @WireValue and cannot be sent: mark that type, or name it in -Agradwire.codecs if a codec for it is installed";
    private static final String ACCESSOR =
            "public Configuration configuration() { return new Configuration(1); }";

    private ModuleFaults() {}

    /** Add the stub of the modules' package. */
    static Compilation withModules(Compilation compilation) {
        return compilation
                .source(
                        "org/gradwire/nn/Module.java",
                        "package org.gradwire.nn; public abstract class Module { protected Module() {} }")
                .source(
                        "org/gradwire/nn/WireModule.java",
                        "package org.gradwire.nn; public interface WireModule<C extends Record> { C configuration(); }");
    }

    static Stream<Fault> all() {
        return Stream.of(
                new Fault(
                        "@WireValue public final class Scale extends org.gradwire.nn.Module { public Scale() {} } // !",
                        "Scale is marked @WireValue but declares no configuration from which it can be made again: let it implement WireModule, or remove the mark"),
                new Fault(
                        "@WireValue public abstract class Scale extends org.gradwire.nn.Module { public Scale() {} } // !",
                        "Scale is marked @WireValue but is abstract: mark its subclasses instead"),
                wireModule(
                        "Scale(Configuration c) {} public Scale(int size) {}",
                        "@WireValue",
                        "Scale is marked @WireValue but has no public constructor that takes its configuration, a Scale.Configuration: add one"),
                wireModule(
                        "public Scale(Configuration c) {}",
                        "",
                        "the configuration of Scale holds Scale.Configuration" + UNMARKED),
                new Fault(
                        "public final class Scale extends org.gradwire.nn.Module { public Scale() {} @RemoteCallable public static void f(int a, Scale b) {} } // !",
                        "parameter b of Scale.f holds Scale" + UNMARKED),
                new Fault(
                        "@ModuleInterface public final class Scale {} // !",
                        "Scale is marked @ModuleInterface but is not an interface: mark an interface that it implements"));
    }

    private static Fault wireModule(String constructors, String mark, String message) {
        return new Fault(
                """
                @WireValue
                public final class Scale extends org.gradwire.nn.Module implements org.gradwire.nn.WireModule<Scale.Configuration> { // !
                    %s public record Configuration(int size) {}
                    %s
                    %s
                }
                """
                        .formatted(mark, constructors, ACCESSOR),
                message);
    }
}
