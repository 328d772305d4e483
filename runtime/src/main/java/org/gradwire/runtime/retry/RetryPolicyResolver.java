package org.gradwire.runtime.retry;

import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.runtime.function.RemoteFunction;
import org.gradwire.spi.Settings;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Resolves the retry policy of calls: the call's own policy precedes the configuration, which
 * precedes the function's annotation.
 */
public final class RetryPolicyResolver {
    private static final String FORM =
            "rules FUNCTION=RETRIES [FIRST-DELAY [BACKOFF [ATTEMPT-TIME]]], separated by commas, such as my.pkg.Jobs.*=5 100ms 1.5 10s";
    private static final Pattern RULE =
            Pattern.compile(
                    "([^=\\s]+)\\s*=\\s*(\\d+)(?:\\s+(\\S+))?(?:\\s+(\\S+))?(?:\\s+(\\S+))?");

    private final List<Rule> rules;
    private final Map<String, Optional<RetryPolicy>> known = new ConcurrentHashMap<>();

    private record Rule(Pattern functions, RetryPolicy policy) {}

    private RetryPolicyResolver(List<Rule> rules) {
        this.rules = rules;
    }

    /**
     * Read the rules of a worker.
     *
     * @throws RpcConfigurationException if one is invalid
     */
    public static RetryPolicyResolver of(Settings settings) {
        return new RetryPolicyResolver(
                settings.find(RuntimeSettings.RETRIES).stream()
                        .flatMap(text -> Arrays.stream(text.split(",")))
                        .map(rule -> rule(settings, rule.strip()))
                        .toList());
    }

    private static Rule rule(Settings settings, String text) {
        Matcher parts = RULE.matcher(text);
        if (!parts.matches()) {
            throw wrong(settings, text, "it must be " + FORM);
        }
        RetryPolicy usual = RetryPolicy.DEFAULT;
        try {
            return new Rule(
                    functions(parts.group(1)),
                    new RetryPolicy(
                            Integer.parseInt(parts.group(2)),
                            duration(settings, parts.group(3), usual.firstDelay()),
                            parts.group(4) == null
                                    ? usual.backoff()
                                    : Double.parseDouble(parts.group(4)),
                            duration(settings, parts.group(5), usual.attemptTimeout())));
        } catch (NumberFormatException e) {
            throw wrong(settings, text, "it must be " + FORM);
        } catch (IllegalArgumentException e) {
            throw wrong(settings, text, String.valueOf(e.getMessage()));
        }
    }

    private static RpcConfigurationException wrong(Settings settings, String rule, String why) {
        String key = RuntimeSettings.RETRIES;
        return new RpcConfigurationException(
                "%s holds '%s' (from %s), which is invalid: %s"
                        .formatted(key, rule, settings.origin(key), why));
    }

    private static Duration duration(Settings settings, @Nullable String text, Duration usual) {
        return text == null ? usual : settings.parseDuration(RuntimeSettings.RETRIES, text);
    }

    private static Pattern functions(String name) {
        return Pattern.compile(
                Arrays.stream(name.split("\\*", -1))
                        .map(Pattern::quote)
                        .collect(Collectors.joining(".*")));
    }

    /**
     * {@return the policy of a call of a function; null if it is sent once}
     *
     * @param own the call's own policy; null for none
     */
    @Nullable RetryPolicy policy(RemoteFunction function, @Nullable RetryPolicy own) {
        RetryPolicy policy = own != null ? own : configured(function);
        return policy == null || policy.maxRetries() == 0 ? null : policy;
    }

    private @Nullable RetryPolicy configured(RemoteFunction function) {
        if (rules.isEmpty()) {
            return function.retry();
        }
        return known.computeIfAbsent(function.schema().name(), this::find).orElse(function.retry());
    }

    private Optional<RetryPolicy> find(String name) {
        return rules.stream()
                .filter(rule -> rule.functions.matcher(name).matches())
                .map(Rule::policy)
                .findFirst();
    }
}
