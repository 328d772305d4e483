package org.gradwire.rpc;

/** A function failed on another worker with an {@link IllegalArgumentException}. */
public final class RemoteArgumentException extends IllegalArgumentException
        implements RemoteFailure {
    private static final long serialVersionUID = 1L;

    private final WorkerInfo worker;
    private final String remoteType;

    /**
     * Create the failure of a function.
     *
     * @param worker the worker on which the function failed
     * @param remoteType the class name of the original failure
     * @param message the text described at {@link RemoteFailure}
     */
    public RemoteArgumentException(WorkerInfo worker, String remoteType, String message) {
        super(message);
        this.worker = worker;
        this.remoteType = remoteType;
    }

    @Override
    public WorkerInfo worker() {
        return worker;
    }

    @Override
    public String remoteType() {
        return remoteType;
    }
}
