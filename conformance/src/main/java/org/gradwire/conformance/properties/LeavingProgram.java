package org.gradwire.conformance.properties;

import java.util.List;

/**
 * Expression programs during which one worker leaves.
 *
 * @param programs programs that run at the same time
 * @param leaver rank of the worker that leaves
 * @param orderly whether it shuts down gracefully or abruptly
 * @param momentMicros time of the shutdown after the start of the programs, in microseconds
 */
public record LeavingProgram(
        List<ExpressionProgram> programs, int leaver, boolean orderly, int momentMicros) {}
