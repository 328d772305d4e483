/**
 * Data-parallel training: each member of a process group trains a replica of a module on its share
 * of the data.
 */
module org.gradwire.nn.parallel {
    requires transitive org.gradwire.collective;
    requires transitive org.gradwire.nn;
    requires static transitive org.jspecify;

    exports org.gradwire.nn.parallel;
}
