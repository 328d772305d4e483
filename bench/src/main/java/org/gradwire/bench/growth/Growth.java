package org.gradwire.bench.growth;

import java.util.List;

/** Work that is measured at growing sizes. */
interface Growth {

    /** {@return the name by which it is chosen} */
    String name();

    /** Measure; takes seconds to minutes. */
    List<Curve> measure() throws Exception;
}
