package org.gradwire.runtime.group;

import org.gradwire.runtime.collective.AllGather;
import org.gradwire.runtime.member.Members;
import org.gradwire.runtime.rref.RRefContext;
import org.gradwire.runtime.thread.InFlight;

/** The parts of a worker that must end before it leaves its group. */
public record ShutdownContext(
        Members members, AllGather allGather, RRefContext rrefs, InFlight inFlight) {}
