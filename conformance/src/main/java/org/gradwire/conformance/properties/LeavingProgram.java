package org.gradwire.conformance.properties;

import java.util.List;

/**
 * Programs of expressions during which one worker leaves.
 *
 * @param programs under way at the same time
 * @param leaver rank of the worker that leaves
 * @param orderly whether it waits until the others leave too, or stops at once
 * @param momentMicros when it leaves, counted from the start of the programs
 */
public record LeavingProgram(
        List<ExpressionProgram> programs, int leaver, boolean orderly, int momentMicros) {}
