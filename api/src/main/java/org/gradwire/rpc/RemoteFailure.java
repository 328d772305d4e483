package org.gradwire.rpc;

/**
 * A failure of a function on another worker, as its caller sees it.
 *
 * <p>It keeps the category of the original: an {@link IllegalArgumentException} becomes a {@link
 * RemoteArgumentException}, a {@link TypeMismatchException} a {@link RemoteTypeMismatchException},
 * any other a {@link RemoteException}. The message is {@code <type>: On WorkerInfo(id=N, name=X):},
 * the original message, and the remote stack trace, each on separate lines.
 */
public sealed interface RemoteFailure
        permits RemoteException, RemoteArgumentException, RemoteTypeMismatchException {

    /** {@return the worker on which the function failed} */
    WorkerInfo worker();

    /** {@return the class name of the original failure} */
    String remoteType();

    /** {@return the text described at {@link RemoteFailure}} */
    String getMessage();
}
