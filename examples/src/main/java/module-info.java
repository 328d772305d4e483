/**
 * Example programs. {@code ./gradwire run --workers 4 train} trains a language model across
 * processes.
 */
@SuppressWarnings("requires-automatic") // the library for charts has no descriptor
module org.gradwire.examples {
    requires transitive org.gradwire.nn;
    requires transitive org.gradwire.checkpoint;
    requires org.gradwire.nn.parallel;
    requires static transitive org.jspecify;
    requires java.desktop;
    requires info.picocli;
    requires me.tongfei.progressbar;
    requires org.knowm.xchart;

    exports org.gradwire.examples.batchrpc;
    exports org.gradwire.examples.ddp;
    exports org.gradwire.examples.elastic;
    exports org.gradwire.examples.guide;
    exports org.gradwire.examples.hello;
    exports org.gradwire.examples.hybrid;
    exports org.gradwire.examples.inference;
    exports org.gradwire.examples.parameterserver;
    exports org.gradwire.examples.pipeline;
    exports org.gradwire.examples.tour;
    exports org.gradwire.examples.train;

    opens org.gradwire.examples to
            info.picocli;
    opens org.gradwire.examples.batchrpc to
            info.picocli;
    opens org.gradwire.examples.inference to
            info.picocli;
    opens org.gradwire.examples.pipeline to
            info.picocli;
    opens org.gradwire.examples.train to
            info.picocli;
}
