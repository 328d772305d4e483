package org.gradwire.runtime.config;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Settings;
import org.gradwire.spi.scheduler.Assignment;
import org.gradwire.spi.scheduler.Assignment.Part;

import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings that follow from the variables of a scheduler: rank, number of workers and
 * rendezvous. They are read only for a worker whose rank no other source sets; a number of workers
 * and a rendezvous from another source precede those of the scheduler.
 */
final class SchedulerSettings {
    private final Settings others;
    private final Map<String, String> environment;

    /** Settings of a scheduler, and their origin for messages. */
    record Assigned(String origin, Map<String, String> values) {}

    /**
     * Create a reader.
     *
     * @param others the settings of all other sources
     */
    SchedulerSettings(Settings others, Map<String, String> environment) {
        this.others = others;
        this.environment = environment;
    }

    /**
     * {@return the settings; empty if the rank is set, or there are variables of no scheduler}
     *
     * @throws RpcConfigurationException when they are incomplete or invalid, or assign another
     *     number of workers than is set
     */
    Optional<Assigned> read() {
        if (isSet(RuntimeSettings.RANK)) {
            return Optional.empty();
        }
        return find().map(this::settings);
    }

    private Optional<Assignment> find() {
        try {
            return Assignment.find(environment, required());
        } catch (RpcConfigurationException e) {
            throw new RpcConfigurationException(e.getMessage() + alreadySet(), e);
        }
    }

    private String alreadySet() {
        String set =
                Stream.of(RuntimeSettings.WORLD_SIZE, RuntimeSettings.RENDEZVOUS)
                        .filter(this::isSet)
                        .map(key -> "%s (from %s)".formatted(key, others.origin(key)))
                        .collect(Collectors.joining(", "));
        return set.isEmpty() ? "" : ". Already set: " + set;
    }

    private Set<Part> required() {
        Set<Part> required = EnumSet.noneOf(Part.class);
        if (!isDynamic() && !isSet(RuntimeSettings.WORLD_SIZE)) {
            required.add(Part.WORLD_SIZE);
        }
        if (!isSet(RuntimeSettings.RENDEZVOUS)) {
            required.add(Part.RENDEZVOUS);
        }
        return required;
    }

    private Assigned settings(Assignment assignment) {
        Map<String, String> values = new TreeMap<>();
        values.put(RuntimeSettings.RANK, Integer.toString(assignment.rank()));
        assignment
                .worldSize()
                .ifPresent(size -> {
                    requireSameSize(assignment.scheduler(), Integer.toString(size));
                    values.put(RuntimeSettings.WORLD_SIZE, Integer.toString(size));
                });
        assignment
                .rendezvous()
                .ifPresent(address -> values.put(RuntimeSettings.RENDEZVOUS, address));
        return new Assigned("the variables of " + assignment.scheduler(), values);
    }

    private void requireSameSize(String scheduler, String size) {
        if (isDynamic() || !isSet(RuntimeSettings.WORLD_SIZE)) {
            return;
        }
        String set = others.text(RuntimeSettings.WORLD_SIZE).strip();
        if (!set.equals(size)) {
            throw new RpcConfigurationException(
                    "%s=%s (from %s), but %s assigned a rank among %s workers; unset it, or set %s too"
                            .formatted(
                                    RuntimeSettings.WORLD_SIZE,
                                    set,
                                    others.origin(RuntimeSettings.WORLD_SIZE),
                                    scheduler,
                                    size,
                                    RuntimeSettings.RANK));
        }
    }

    private boolean isDynamic() {
        return others.text(RuntimeSettings.GROUP).equals("dynamic");
    }

    private boolean isSet(String key) {
        return !others.origin(key).equals(LayeredSettings.DEFAULT) && others.find(key).isPresent();
    }
}
