package org.gradwire.conformance.cases.rpc;

/** A value without {@code @WireValue}, which only a custom codec can send. */
public record Coordinates(int x, int y) {}
