package org.gradwire.conformance.mutants;

import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A provider that delegates to a correct one, except for the methods that a mutant overrides. */
abstract class MutantProvider implements BackendProvider {
    private final BackendProvider sound;

    MutantProvider(BackendProvider sound) {
        this.sound = sound;
    }

    @Override
    public String name() {
        return sound.name();
    }

    @Override
    public List<Setting> settings() {
        return sound.settings();
    }

    @Override
    public Map<String, String> defaults() {
        return sound.defaults();
    }

    @Override
    public Optional<String> obstacle(Settings settings) {
        return sound.obstacle(settings);
    }

    @Override
    public RpcAgent create(AgentContext context) {
        return sound.create(context);
    }
}
