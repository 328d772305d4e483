package org.gradwire.rpc;

/** A function failed on another worker with a {@link TypeMismatchException}. */
public final class RemoteTypeMismatchException extends TypeMismatchException
        implements RemoteFailure {
    private static final long serialVersionUID = 1L;

    private final WorkerInfo worker;
    private final String remoteType;

    public RemoteTypeMismatchException(WorkerInfo worker, String remoteType, String message) {
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
