/**
 * The kit with which anybody proves that a backend keeps the rules: extend {@link
 * org.gradwire.conformance.BackendConformance}, say which backend it is, and run it with JUnit.
 *
 * <p>Layers: the numbered rules of {@code docs/BACKEND-RULES.md}, checked on agents alone; the
 * cases of the specification, run by whole workers; properties over random programs. Broken
 * backends that come with the kit prove that each rule's check catches what it is there for.
 *
 * <p>The module is open, since JUnit and jqwik find the tests in it by reflection. jqwik stays
 * inside: of the public types only {@code BackendProperties} and {@code SmartProperties} show it,
 * by their annotations.
 */
@SuppressWarnings("requires-transitive-automatic")
open module org.gradwire.conformance {
    requires transitive org.gradwire.spi;
    requires transitive org.gradwire.autograd;
    requires transitive org.gradwire.nn;
    requires transitive org.junit.jupiter.api;
    requires org.junit.platform.launcher;
    requires java.logging;
    requires java.management;
    requires net.jqwik.api;
    requires static transitive org.jspecify;

    exports org.gradwire.conformance;
    exports org.gradwire.conformance.cases.autograd;
    exports org.gradwire.conformance.cases.rpc;
    exports org.gradwire.conformance.flaws;
    exports org.gradwire.conformance.rules;
    exports org.gradwire.conformance.functions;
    exports org.gradwire.conformance.harness;

    uses org.gradwire.spi.BackendProvider;

    provides org.junit.platform.launcher.TestExecutionListener with
            org.gradwire.conformance.report.ReportListener;
}
