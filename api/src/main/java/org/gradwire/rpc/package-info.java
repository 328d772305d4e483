/**
 * Remote procedure calls between workers, with remote references and futures.
 *
 * <p>A program starts with {@link org.gradwire.rpc.Rpc#init}. Three verbs follow, as in PyTorch's
 * {@code torch.distributed.rpc}: {@code rpcSync} calls and waits, {@code rpcAsync} returns an
 * {@link org.gradwire.rpc.RpcFuture}, {@code remote} leaves the result on the callee and returns an
 * {@link org.gradwire.rpc.RRef}.
 *
 * <p><b>Threads.</b> Every type here may be used from any thread. Called functions run on virtual
 * threads of the callee, so they may block.
 */
@NullMarked
package org.gradwire.rpc;

import org.jspecify.annotations.NullMarked;
