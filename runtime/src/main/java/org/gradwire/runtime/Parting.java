package org.gradwire.runtime;

import org.gradwire.runtime.rref.RRefContext;

/**
 * What a worker must bring to its end before it parts from its group.
 *
 * @param outgoing its calls
 * @param incoming calls of peers that it serves
 * @param unsent control messages that wait to be sent, for the first time or again
 */
record Parting(
        Members members,
        Gathering gathering,
        RRefContext rrefs,
        ActiveCalls outgoing,
        ActiveCalls incoming,
        ActiveCalls unsent) {}
