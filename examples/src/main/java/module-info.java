/**
 * Programs a user would write. {@code ./gradwire run --workers 4 train} trains a language model
 * across processes.
 */
@SuppressWarnings("requires-automatic") // the libraries for pictures have no descriptors
module org.gradwire.examples {
    requires transitive org.gradwire.nn;
    requires static transitive org.jspecify;
    requires java.desktop;
    requires info.picocli;
    requires me.tongfei.progressbar;
    requires org.knowm.xchart;
    requires org.eclipse.elk.alg.layered;
    requires org.eclipse.elk.core;
    requires org.eclipse.elk.graph;
    requires org.eclipse.emf.common;
    requires org.eclipse.emf.ecore;

    exports org.gradwire.examples.hello;
    exports org.gradwire.examples.tour;
    exports org.gradwire.examples.train;

    opens org.gradwire.examples.train to
            info.picocli;
}
