package org.gradwire.nn.remote;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An operation of a {@link DistributedOptimizer} failed on some owners. It was tried on all owners
 * and succeeded on the others. The first failure determines the cause and the kind; the others are
 * suppressed.
 */
public final class DistributedOptimizerException extends RpcException {
    private static final long serialVersionUID = 1L;

    private final transient Map<String, RuntimeException> failures;
    private final transient List<String> succeeded;

    /**
     * Create a failure.
     *
     * @param what the operation
     * @param failures at least one, by the name of the owner
     * @param succeeded the names of the owners that succeeded
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

    /** {@return the failures by the name of the owner} */
    public Map<String, RuntimeException> failures() {
        return failures;
    }

    /** {@return the names of the owners that succeeded} */
    public List<String> succeeded() {
        return succeeded;
    }
}
