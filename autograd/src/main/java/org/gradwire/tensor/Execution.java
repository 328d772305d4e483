package org.gradwire.tensor;

/** One run of a node in a {@link GraphTask}; its identity marks the memory that was made in it. */
final class Execution {}
