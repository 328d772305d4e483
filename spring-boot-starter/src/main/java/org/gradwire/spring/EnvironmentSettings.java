package org.gradwire.spring;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Gradwire's settings in Spring's environment. */
final class EnvironmentSettings {
    private static final ConfigurationPropertyName PREFIX =
            ConfigurationPropertyName.of("gradwire");

    /** Names of property sources whose unknown keys {@code Rpc.init} refuses. */
    private static final Set<String> CHECKED_BY_INIT =
            Set.of(
                    StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME,
                    StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);

    private EnvironmentSettings() {}

    /**
     * Return the values of settings by key, resolved with Spring's precedence and relaxed binding.
     * Unknown keys under {@code gradwire} are included, so that they are refused rather than
     * ignored.
     *
     * @param known keys of all settings
     */
    static Map<String, String> read(ConfigurableEnvironment environment, Collection<String> known) {
        Map<String, String> settings = new TreeMap<>();
        Binder binder = Binder.get(environment);
        known.forEach(
                key -> binder.bind(key, String.class).ifBound(value -> settings.put(key, value)));
        Set<ConfigurationPropertyName> names =
                known.stream().map(ConfigurationPropertyName::of).collect(Collectors.toSet());
        sources(environment)
                .filter(source -> !isCheckedByInit(source))
                .flatMap(EnvironmentSettings::namesIn)
                .filter(name -> !names.contains(name))
                .forEach(name -> settings.put(name.toString(), ""));
        return settings;
    }

    /** {@return the origins of an environment's settings, by key} */
    static Map<String, String> origins(ConfigurableEnvironment environment) {
        Map<String, String> origins = new TreeMap<>();
        sources(environment)
                .forEach(source ->
                        namesIn(source)
                                .forEach(name ->
                                        origins.putIfAbsent(
                                                name.toString(), origin(source, name))));
        return origins;
    }

    private static String origin(
            IterableConfigurationPropertySource source, ConfigurationPropertyName name) {
        var property = source.getConfigurationProperty(name);
        return String.valueOf(
                property == null || property.getOrigin() == null
                        ? source.getUnderlyingSource()
                        : property.getOrigin());
    }

    private static Stream<IterableConfigurationPropertySource> sources(
            ConfigurableEnvironment environment) {
        Stream.Builder<IterableConfigurationPropertySource> listed = Stream.builder();
        for (ConfigurationPropertySource source :
                ConfigurationPropertySources.from(environment.getPropertySources())) {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                listed.add(iterable);
            }
        }
        return listed.build();
    }

    private static Stream<ConfigurationPropertyName> namesIn(
            IterableConfigurationPropertySource source) {
        return source.stream().filter(PREFIX::isAncestorOf);
    }

    private static boolean isCheckedByInit(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof PropertySource<?> underlying
                && CHECKED_BY_INIT.contains(underlying.getName());
    }
}
