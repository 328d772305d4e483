package org.gradwire.security;

import org.gradwire.rpc.WorkerInfo;

/**
 * An action that a caller wants to perform on a worker.
 *
 * <p>The caller is the worker in whose session the message arrived; nothing in the message counts.
 * Its name is as trustworthy as the group's authentication: where all members share one token, a
 * member can join under any free name.
 *
 * @param worker the worker that would do it
 * @param caller the peer that wants it
 * @param action the full name of a function, such as {@code org.x.Embedding.lookup}; that of the
 *     class for a constructor; that of an operator, such as {@code aten::add.Tensor}; or one of the
 *     permissions of messages, such as {@code gradwire::fetch}
 */
public record AuthorizationRequest(WorkerInfo worker, WorkerInfo caller, String action) {}
