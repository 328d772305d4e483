/**
 * Checkpoints of a whole group: the states of all members at one step, written in shards and
 * published at once.
 */
module org.gradwire.checkpoint {
    requires transitive org.gradwire.nn.parallel;
    requires static transitive org.jspecify;
    requires tools.jackson.core;

    exports org.gradwire.checkpoint;

    uses org.gradwire.checkpoint.CheckpointStorageProvider;
}
