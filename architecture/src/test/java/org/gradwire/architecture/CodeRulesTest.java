package org.gradwire.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ObjectInputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.List;

/** Rules for the code of every module. */
class CodeRulesTest {
    private static final int LEAST_CLASSES = 100;

    private static List<GradwireModule> modules() {
        return Reactor.modules();
    }

    private static List<GradwireModule> silentModules() {
        return modules().stream()
                .filter(m -> !m.isIn("launcher", "examples", "bench", "attack"))
                .toList();
    }

    private static List<GradwireModule> contracts() {
        return modules().stream().filter(module -> module.isIn("api", "spi")).toList();
    }

    private static JavaClasses classesOf(GradwireModule module) {
        JavaClasses classes =
                new ClassFileImporter()
                        .importPath(module.classes())
                        .that(not(resideInAPackage("..jmh_generated..")));
        assertFalse(classes.isEmpty(), "no classes in " + module.classes());
        return classes;
    }

    @Test
    void rulesSeeTheProject() {
        assertTrue(modules().size() >= 2, modules().toString());
        assertTrue(contracts().size() == 2, contracts().toString());
        int classes = modules().stream().mapToInt(module -> classesOf(module).size()).sum();
        assertTrue(classes >= LEAST_CLASSES, classes + " classes");
    }

    @ParameterizedTest
    @MethodSource("modules")
    void packagesOfAModuleAreFreeOfCycles(GradwireModule module) {
        slices().assignedFrom(new PackageSlices())
                .should()
                .beFreeOfCycles()
                .check(classesOf(module));
    }

    @ParameterizedTest
    @MethodSource("contracts")
    void apiAndSpiNameNoTypeOfAThirdParty(GradwireModule module) {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "javax.crypto..",
                        "javax.net.ssl..",
                        "org.jspecify.annotations",
                        "org.gradwire.profiler",
                        "org.gradwire.rpc..",
                        "org.gradwire.security",
                        "org.gradwire.spi..")
                .check(classesOf(module));
    }

    @ParameterizedTest
    @MethodSource("silentModules")
    void librariesPrintNothing(GradwireModule module) {
        // The kit's report prints its location to the console, and a command its result.
        JavaClasses silent =
                classesOf(module)
                        .that(
                                not(
                                        resideInAnyPackage(
                                                "org.gradwire.conformance.report",
                                                "org.gradwire.checkpoint.cli")));
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(silent);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void javaDeserializationIsNeverUsed(GradwireModule module) {
        noClasses()
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ObjectInputStream.class)
                .check(classesOf(module));
    }

    /** A name from a peer must not reach a class loader, which caches every name. */
    @ParameterizedTest
    @MethodSource("modules")
    void onlyTheTableOfMarkedClassesLoadsClassesByName(GradwireModule module) {
        noClasses()
                .that()
                .resideOutsideOfPackage("org.gradwire.runtime.classes")
                .and()
                .doNotHaveFullyQualifiedName(
                        "org.gradwire.backend.tensorpipe.driver.SocketOptions") // constants
                .and()
                .doNotHaveFullyQualifiedName(
                        "org.gradwire.conformance.cases.rpc.ControlCases") // constants
                .and()
                .doNotHaveFullyQualifiedName(
                        "org.gradwire.runtime.standby.Program") // its command line
                .should()
                .accessTargetWhere(loadsClasses())
                .allowEmptyShould(true)
                .check(classesOf(module));
    }

    private static DescribedPredicate<JavaAccess<?>> loadsClasses() {
        return describe("it loads a class by name", access -> loadsClass(access.getTarget()));
    }

    private static boolean loadsClass(AccessTarget target) {
        JavaClass owner = target.getOwner();
        return switch (target.getName()) {
            case "forName" -> owner.isEquivalentTo(Class.class);
            case "loadClass", "findClass" ->
                    owner.isAssignableTo(ClassLoader.class)
                            || owner.isEquivalentTo(MethodHandles.Lookup.class);
            case "fromMethodDescriptorString" -> owner.isEquivalentTo(MethodType.class);
            default -> false;
        };
    }

    @Test
    void ruleSeesLoadingOfClassesByName() {
        JavaClasses ownClasses = new ClassFileImporter().importClasses(ConfigurationPageTest.class);
        assertTrue(
                ownClasses.stream()
                        .flatMap(type -> type.getAccessesFromSelf().stream())
                        .anyMatch(access -> loadsClass(access.getTarget())));
    }

    @ParameterizedTest
    @MethodSource("modules")
    void nothingMutableIsStatic(GradwireModule module) {
        fields().that()
                .areStatic()
                .and(not(isInstalledOnce()))
                .should()
                .beFinal()
                .andShould()
                .notHaveRawType(mutable())
                .allowEmptyShould(true)
                .check(classesOf(module));
    }

    /** {@return a predicate for fields that only a static initializer sets, before any read} */
    private static DescribedPredicate<JavaField> isInstalledOnce() {
        return describe(
                "installed by the class that it gives access to",
                field ->
                        field.getName().equals("installed")
                                && field.getOwner()
                                        .getPackageName()
                                        .equals("org.gradwire.tensor.access"));
    }

    /**
     * Mutable types. A constant list or map is declared as an interface; a thread-local is state of
     * each thread, not of the class.
     */
    private static DescribedPredicate<JavaClass> mutable() {
        return assignableTo(AbstractMap.class)
                .or(assignableTo(AbstractCollection.class))
                .or(resideInAPackage("java.util.concurrent.atomic"))
                .or(resideInAPackage("java.util.concurrent.locks"))
                .as("made to be changed");
    }
}
