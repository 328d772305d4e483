package org.gradwire.bench.growth;

/** The value of a metric at a size. */
record CurvePoint(long size, double value) {}
