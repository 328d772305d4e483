package org.gradwire.runtime.call;

import org.gradwire.runtime.function.FunctionTable;
import org.gradwire.runtime.member.Members;
import org.gradwire.runtime.rref.RRefContext;
import org.gradwire.runtime.thread.WorkerThreads;
import org.gradwire.runtime.wire.WireCodec;

import java.util.function.BooleanSupplier;

/**
 * The parts of a worker that both callers and callees of calls need.
 *
 * @param hasStopped whether the worker was shut down
 */
public record CallServices(
        FunctionTable functions,
        WireCodec codec,
        WorkerThreads threads,
        RRefContext rrefs,
        UdfCodecs udfCodecs,
        Members members,
        BooleanSupplier hasStopped) {}
