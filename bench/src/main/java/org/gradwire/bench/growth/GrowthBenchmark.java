package org.gradwire.bench.growth;

import java.util.List;

/** A benchmark that measures work at growing sizes. */
interface GrowthBenchmark {

    /** {@return the name on the command line} */
    String name();

    /** Measure; takes seconds to minutes. */
    List<Curve> measure() throws Exception;
}
