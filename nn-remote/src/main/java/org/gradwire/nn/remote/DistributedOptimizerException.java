package org.gradwire.nn.remote;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a {@link DistributedOptimizer} was asked to do has failed on some of the owners of its
 * parameters. It was tried on all, and the others have done it. The cause is the first failure, and
 * so is the kind; the others are suppressed.
 */
public final class DistributedOptimizerException extends RpcException {
    private static final long serialVersionUID = 1L;

    private final transient Map<String, RuntimeException> failures;
    private final transient List<String> succeeded;

    /**
     * Create a failure.
     *
     * @param what was asked
     * @param failures at least one, by the name of the owner
     * @param succeeded names of the owners that have done it
     */
    DistributedOptimizerException(
            String what, Map<String, RuntimeException> failures, List<String> succeeded) {
        super(kind(first(failures)), message(what, failures, succeeded), first(failures));
        this.failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
        this.succeeded = List.copyOf(succeeded);
        failures.values().stream().skip(1).forEach(this::addSuppressed);
    }

    private static RuntimeException first(Map<String, RuntimeException> failures) {
        return failures.values().iterator().next();
    }

    private static RpcErrorKind kind(RuntimeException failure) {
        return failure instanceof RpcException known ? known.kind() : RpcErrorKind.UNKNOWN;
    }

    private static String message(
            String what, Map<String, RuntimeException> failures, List<String> succeeded) {
        return "%s failed on %s; %s\n%s"
                .formatted(
                        what,
                        String.join(", ", failures.keySet()),
                        succeeded.isEmpty()
                                ? "no owner has done it"
                                : "done on " + String.join(", ", succeeded),
                        failures.entrySet().stream()
                                .map(failure ->
                                        failure.getKey() + ": " + failure.getValue().getMessage())
                                .collect(Collectors.joining("\n")));
    }

    /** {@return what went wrong, by the name of the owner} */
    public Map<String, RuntimeException> failures() {
        return failures;
    }

    /** {@return names of the owners that have done it} */
    public List<String> succeeded() {
        return succeeded;
    }
}
