package org.gradwire.collective;

import org.gradwire.rpc.RpcException;

/**
 * The members of a group called different operations, or the same with other arguments. The message
 * names the operations of both sides, and, with the setting {@code gradwire.collective.call-sites},
 * the lines that called them. The group is broken afterwards, on all members.
 */
public class CollectiveMismatchException extends RpcException {
    private static final long serialVersionUID = 1L;

    /** Create a failure with a message. */
    public CollectiveMismatchException(String message) {
        super(message);
    }
}
