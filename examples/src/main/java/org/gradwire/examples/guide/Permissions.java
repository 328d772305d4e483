package org.gradwire.examples.guide;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;

/** Page 7: what a worker permits to others. */
final class Permissions {

    private Permissions() {}

    static RpcOptions.Builder permitting(RpcOptions.Builder options) {
        return options.set(
                "gradwire.allow",
                """
                worker0: org.gradwire.examples.guide.Texts.summarize, gradwire::fetch;
                trainer*: org.gradwire.examples.guide.Texts.*, aten::*, gradwire::autograd
                """);
    }

    static void run(Rpc rpc) {
        IO.println(rpc.rpcSync("worker1", Texts::summarize, "to be or not to be"));
        try {
            IO.println(rpc.rpcSync("worker1", Texts::longest, "to be or not to be", 1));
        } catch (RpcException e) {
            if (e.kind() != RpcErrorKind.PERMISSION_DENIED) {
                throw e;
            }
            IO.println(e.getMessage());
        }
    }
}
