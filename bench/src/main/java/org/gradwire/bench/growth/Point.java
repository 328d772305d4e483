package org.gradwire.bench.growth;

/** A figure at a size. */
record Point(long size, double figure) {}
