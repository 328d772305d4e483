package org.gradwire.spring;

import org.gradwire.rpc.RpcConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

import java.util.Map;
import java.util.stream.Collectors;

/** Reports a wrong setting, and the origins of all settings, instead of a stack trace. */
final class RpcConfigurationFailureAnalyzer
        extends AbstractFailureAnalyzer<RpcConfigurationException> {
    private final Environment environment;

    RpcConfigurationFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable failure, RpcConfigurationException cause) {
        return new FailureAnalysis(cause.getMessage(), action(), cause);
    }

    private String action() {
        Map<String, String> origins =
                environment instanceof ConfigurableEnvironment configurable
                        ? EnvironmentSettings.origins(configurable)
                        : Map.of();
        return origins.isEmpty()
                ? "Set what is missing: the environment has no property that begins with gradwire."
                : origins.entrySet().stream()
                        .map(each -> "    " + each.getKey() + " - " + each.getValue())
                        .collect(
                                Collectors.joining(
                                        "\n",
                                        "Correct the settings of Gradwire, which come from:\n\n",
                                        ""));
    }
}
