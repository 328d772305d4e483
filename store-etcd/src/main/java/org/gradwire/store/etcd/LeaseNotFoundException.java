package org.gradwire.store.etcd;

import org.gradwire.rpc.RpcException;

import java.io.Serial;

/** A request named a lease that has expired, or a key that does not exist. */
final class LeaseNotFoundException extends RpcException {
    @Serial private static final long serialVersionUID = 1;

    LeaseNotFoundException(String message) {
        super(message);
    }
}
