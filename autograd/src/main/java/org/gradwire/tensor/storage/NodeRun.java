package org.gradwire.tensor.storage;

import org.gradwire.autograd.GraphTask;

/** One run of a node in a {@link GraphTask}; its identity marks the memory that was made in it. */
public final class NodeRun {}
