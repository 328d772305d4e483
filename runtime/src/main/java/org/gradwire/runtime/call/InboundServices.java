package org.gradwire.runtime.call;

import org.gradwire.runtime.authorization.Authorization;
import org.gradwire.runtime.flow.Flows;
import org.gradwire.runtime.profile.CallObservers;
import org.gradwire.runtime.thread.InFlightCounter;
import org.gradwire.spi.CallArena;
import org.jspecify.annotations.Nullable;

import java.util.function.IntFunction;

/**
 * The parts of a worker that inbound calls need.
 *
 * @param authorization checks what peers may do
 * @param names names of workers by id
 * @param arena frees the memory of a call when it ends; null if no extension provides one
 * @param pendingResults counts the calls whose function has returned a future that is not complete
 */
record InboundServices(
        CallServices calls,
        Authorization authorization,
        IntFunction<String> names,
        Flows flows,
        CallObservers observers,
        CancellableCalls cancellable,
        @Nullable CallArena arena,
        InFlightCounter pendingResults) {}
