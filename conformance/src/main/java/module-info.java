/**
 * The conformance kit: JUnit tests that prove a backend. Extend {@link
 * org.gradwire.conformance.BackendConformance}, name the backend, and run the class with JUnit.
 *
 * <p>It has three layers. Rules ({@code docs/BACKEND-RULES.md}) test bare agents, cases of the
 * specification test whole workers, and properties test random programs. Mutants, backends that are
 * broken on purpose, prove that each rule detects what it is meant to detect.
 *
 * <p>The module is open because JUnit and jqwik find tests by reflection. Only {@code
 * BackendProperties} and {@code SmartProperties} expose jqwik, by their annotations.
 */
@SuppressWarnings({"requires-transitive-automatic", "module"})
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
    exports org.gradwire.conformance.cases.modules;
    exports org.gradwire.conformance.cases.rpc;
    exports org.gradwire.conformance.functions;
    exports org.gradwire.conformance.harness;
    exports org.gradwire.conformance.mutants;
    exports org.gradwire.conformance.processes;
    exports org.gradwire.conformance.properties.functions;
    exports org.gradwire.conformance.rules;
    exports org.gradwire.conformance.stores;
    exports org.gradwire.conformance.network to
            org.gradwire.store.etcd.tests;

    uses org.gradwire.spi.BackendProvider;
    uses org.gradwire.spi.store.StoreProvider;

    provides org.junit.platform.launcher.TestExecutionListener with
            org.gradwire.conformance.report.ReportListener;
}
