package org.gradwire.rpc;

/**
 * A failure of a function on another worker, as its caller sees it.
 *
 * <p>It keeps the category of the original: what was an {@link IllegalArgumentException} there is
 * one here ({@link RemoteArgumentException}), a {@link TypeMismatchException} too ({@link
 * RemoteTypeMismatchException}), everything else is a {@link RemoteException}. The message is
 * {@code <type>: On WorkerInfo(id=N, name=X):}, the original message, and the remote stack trace,
 * each on lines of its own.
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
