package org.gradwire.conformance.functions;

/** A value that only a codec of the program can send: it bears no mark. */
public record Coordinates(int x, int y) {}
