package org.gradwire.runtime.authorization;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.security.AuthorizationRequest;
import org.gradwire.security.Authorizer;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Decides by a policy and by authorizers: all must permit. Thread-safe.
 *
 * @param self the worker that is protected
 * @param policy null for none
 */
record DecisionMaker(WorkerInfo self, @Nullable Policy policy, List<Authorizer> authorizers) {

    DecisionMaker {
        authorizers = List.copyOf(authorizers);
    }

    /** {@return whether there is anything to decide by} */
    boolean isActive() {
        return policy != null || !authorizers.isEmpty();
    }

    /** Decide about an action, which is not a text of the caller. */
    Decision decide(WorkerInfo caller, String action) {
        if (policy != null && !policy.permits(caller.name(), action)) {
            return Decision.denied(noRule(policy, caller));
        }
        var request = new AuthorizationRequest(self, caller, action);
        for (Authorizer authorizer : authorizers) {
            try {
                if (!authorizer.isPermitted(request)) {
                    return Decision.denied("authorizer " + authorizer.getClass().getName());
                }
            } catch (RuntimeException | Error e) {
                return Decision.failed(
                        "authorizer %s failed: %s".formatted(authorizer.getClass().getName(), e));
            }
        }
        return Decision.PERMITTED;
    }

    /**
     * {@return whether a caller may learn that there is no function of a name, which it chose;
     * authorizers are not asked about such names}
     */
    boolean maySearch(WorkerInfo caller, String name) {
        return authorizers.isEmpty() && (policy == null || policy.permits(caller.name(), name));
    }

    private static String noRule(Policy policy, WorkerInfo caller) {
        List<String> rules = policy.rulesFor(caller.name());
        return rules.isEmpty()
                ? "no rule of %s concerns the worker".formatted(RuntimeSettings.ALLOW)
                : "the rules of %s for the worker permit other actions only: %s"
                        .formatted(RuntimeSettings.ALLOW, String.join("; ", rules));
    }
}
