package org.gradwire.runtime.authorization;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.runtime.config.LayeredSettings;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.spi.Settings;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** The rules of the setting {@code gradwire.allow}. What none of them permits is refused. */
public record Policy(List<PolicyRule> rules) {
    /**
     * Read the policy of a worker.
     *
     * @return null when there is none
     * @throws RpcConfigurationException when it is malformed, or set and empty
     */
    public static @Nullable Policy of(Settings settings) {
        String key = RuntimeSettings.ALLOW;
        String origin = settings.origin(key);
        String text = settings.find(key).orElse("");
        if (!text.isEmpty()) {
            return new PolicyParser(text, origin).parse();
        }
        if (!origin.equals(
                LayeredSettings.DEFAULT)) { // a variable that was not filled in must permit nothing
            throw new RpcConfigurationException(
                    "%s (from %s) is set but has no rules; write %s, or do not set it, which permits everything to all members"
                            .formatted(key, origin, PolicyParser.FORM));
        }
        return null;
    }

    /** {@return whether a rule permits an action to a worker} */
    boolean permits(String worker, String action) {
        return rules.stream().anyMatch(rule -> rule.permits(worker, action));
    }

    /** {@return the rules that concern a worker, as written} */
    List<String> rulesFor(String worker) {
        return rules.stream().filter(rule -> rule.concerns(worker)).map(PolicyRule::text).toList();
    }
}
