package org.gradwire.junit;

import org.gradwire.rpc.RpcOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

import java.lang.reflect.AnnotatedElement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The group configuration of an annotation.
 *
 * @param wanted annotation
 * @param place annotated element, for errors
 * @param seed of this test
 * @param settings by key
 */
record GroupPlan(GradwireWorkers wanted, String place, int seed, Map<String, String> settings) {
    static final String SEED_PROPERTY = "gradwire-junit.seed";

    private static final String SIMULATION_SEED = "gradwire.simulation.seed";
    private static final String FAULTY = "faulty";
    private static final String WRAPPED = "gradwire.faulty.backend";
    private static final String FAULTY_SEED = "gradwire.faulty.seed";

    /** Read the configuration of a test. */
    static GroupPlan of(ExtensionContext context) {
        AnnotatedElement place = place(context);
        GradwireWorkers wanted =
                AnnotationSupport.findAnnotation(place, GradwireWorkers.class).orElseThrow();
        String named = place instanceof Class<?> type ? type.getName() : place.toString();
        check(wanted, named);
        int seed = seed(context, wanted);
        return new GroupPlan(wanted, named, seed, settings(wanted, named, seed));
    }

    /** {@return the annotated method or innermost class} */
    private static AnnotatedElement place(ExtensionContext context) {
        if (has(context.getRequiredTestMethod())) {
            return context.getRequiredTestMethod();
        }
        Class<?> type = context.getRequiredTestClass();
        while (!has(type)) {
            Class<?> outer = type.getEnclosingClass();
            if (outer == null) {
                throw new ExtensionConfigurationException(
                        "%s has no @GradwireWorkers: the annotation says how many workers its group has"
                                .formatted(context.getRequiredTestMethod()));
            }
            type = outer;
        }
        return type;
    }

    private static boolean has(AnnotatedElement element) {
        return AnnotationSupport.isAnnotated(element, GradwireWorkers.class);
    }

    private static void check(GradwireWorkers wanted, String place) {
        if (wanted.value() < 1) {
            throw wrong(place, "a group of " + wanted.value() + " workers; it has at least one");
        }
        if (wanted.timeoutSeconds() < 1) {
            throw wrong(place, "timeoutSeconds=" + wanted.timeoutSeconds() + "; it is at least 1");
        }
        if (wanted.seed().length > 1) {
            throw wrong(place, wanted.seed().length + " seeds; give one or none");
        }
    }

    private static ExtensionConfigurationException wrong(String place, String what) {
        return new ExtensionConfigurationException(
                "@GradwireWorkers on %s asks for %s".formatted(place, what));
    }

    private static int seed(ExtensionContext context, GradwireWorkers wanted) {
        Optional<String> replayed = context.getConfigurationParameter(SEED_PROPERTY);
        if (replayed.isPresent()) {
            return parsed(replayed.get());
        }
        return wanted.seed().length == 1
                ? wanted.seed()[0]
                : ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
    }

    private static int parsed(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new ExtensionConfigurationException(
                    "%s=%s is not a seed: give an integer".formatted(SEED_PROPERTY, text), e);
        }
    }

    private static Map<String, String> settings(GradwireWorkers wanted, String place, int seed) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("gradwire.rref-creation-sites", Boolean.toString(wanted.checkLeaks()));
        settings.put("gradwire.fail-on-rref-leak", Boolean.toString(wanted.checkLeaks()));
        if (wanted.simulated()) {
            settings.put(SIMULATION_SEED, Integer.toString(seed));
        }
        if (wanted.backend().equals(FAULTY)) {
            settings.put(WRAPPED, "inproc");
            settings.put(FAULTY_SEED, Integer.toString(seed));
        }
        for (String setting : wanted.settings()) {
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw wrong(place, "the setting \"" + setting + "\"; write it as key=value");
            }
            settings.put(setting.substring(0, equals).strip(), setting.substring(equals + 1));
        }
        return settings;
    }

    /** {@return whether events in the group are drawn from the seed} */
    boolean drawn() {
        String text = Integer.toString(seed);
        return text.equals(settings.get(SIMULATION_SEED)) || text.equals(settings.get(FAULTY_SEED));
    }

    int size() {
        return wanted.value();
    }

    Duration timeout() {
        return Duration.ofSeconds(wanted.timeoutSeconds());
    }

    /** {@return the options of a worker} */
    RpcOptions options(int rank, String meeting) {
        RpcOptions.Builder options =
                RpcOptions.builder()
                        .name("worker" + rank)
                        .rank(rank)
                        .worldSize(size())
                        .rendezvous(meeting)
                        .backend(wanted.backend());
        settings.forEach(options::set);
        return options.build();
    }

    ExtensionConfigurationException cannotStart(String why, @Nullable Throwable cause) {
        return new ExtensionConfigurationException(
                "the group that @GradwireWorkers on %s asks for cannot start: %s"
                        .formatted(place, why),
                cause);
    }
}
