package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The options of a worker that the program sets; the environment supplies the rest.
 *
 * <p>Each setting has a key, such as {@code gradwire.rank}. Its value is the first one found in:
 * this object, the system property {@code gradwire.rank}, the environment variable {@code
 * GRADWIRE_RANK}, the file {@code gradwire.properties} on the module or class path, the variables
 * of a scheduler, and the default. An unknown key is an error that lists the known ones; {@code
 * docs/configuration.md} describes them all.
 */
public final class RpcOptions {
    private final Map<String, String> settings;
    private final List<UdfCodec> udfCodecs;

    private RpcOptions(Map<String, String> settings, List<UdfCodec> udfCodecs) {
        this.settings = new PrintableSettings(settings);
        this.udfCodecs = List.copyOf(udfCodecs);
    }

    /**
     * Return options without settings: the environment supplies all.
     *
     * <p>{@code ./gradwire run} sets the variables {@code GRADWIRE_*}. Without a rank among them,
     * the first complete set of variables of a scheduler counts: torchrun, Kubeflow Trainer, Open
     * MPI, Slurm, PMIx, LeaderWorkerSet, or an Indexed Job of Kubernetes; {@code
     * docs/schedulers.md} lists them.
     */
    public static RpcOptions fromEnvironment() {
        return new Builder().build();
    }

    /** Return a builder without settings. */
    public static Builder builder() {
        return new Builder();
    }

    /** Return a builder with the worker's name set. */
    public static Builder builder(String name) {
        return new Builder().name(name);
    }

    /** {@return the settings of this object, by key; the map prints {@code ***} for the token} */
    public Map<String, String> settings() {
        return settings;
    }

    /** {@return the registered codecs, in order} */
    public List<UdfCodec> udfCodecs() {
        return udfCodecs;
    }

    @Override
    public String toString() {
        return "RpcOptions" + settings;
    }

    /** Collects settings. Not thread-safe; may be used again after {@link #build}. */
    public static final class Builder {
        private final Map<String, String> settings = new TreeMap<>();
        private final List<UdfCodec> udfCodecs = new ArrayList<>();

        private Builder() {}

        /**
         * Set the worker's name: letters, digits, {@code -}, {@code _} and {@code :}, shorter than
         * 128, unique in the group.
         */
        public Builder name(String name) {
            return set("gradwire.name", name);
        }

        /** Set the worker's rank, which becomes its id: 0 to world size - 1. */
        public Builder rank(int rank) {
            return set("gradwire.rank", Integer.toString(rank));
        }

        /** Set the number of workers in the group. */
        public Builder worldSize(int worldSize) {
            return set("gradwire.world-size", Integer.toString(worldSize));
        }

        /**
         * Join a dynamic group, whose workers join and leave at any time, instead of a static
         * group, whose workers start and shut down together.
         */
        public Builder dynamicGroup() {
            return set("gradwire.group", "dynamic");
        }

        /** Set the backend by its name, such as {@code tensorpipe} or {@code inproc}. */
        public Builder backend(String backend) {
            return set("gradwire.backend", backend);
        }

        /**
         * Set the rendezvous of the workers: {@code tcp://host:port} (rank 0 serves it), {@code
         * file:///path}, {@code env://}, {@code inproc://name}, or the address of another installed
         * store, such as {@code etcd://host:port/job} of {@code gradwire-store-etcd}.
         */
        public Builder rendezvous(String uri) {
            return set("gradwire.rendezvous", uri);
        }

        /**
         * Set the file that holds the secret which all workers of the group share: a regular file
         * of this user or of root, without permissions for its group and for others. {@code
         * ./gradwire token FILE} makes one.
         */
        public Builder authenticationTokenFile(Path file) {
            return set("gradwire.authentication-token-file", file.toString());
        }

        /**
         * Set the default timeout of calls.
         *
         * @param timeout more than zero; the setting {@code gradwire.rpc-timeout=0s} disables it
         * @throws IllegalArgumentException if the timeout is zero or negative
         */
        public Builder rpcTimeout(Duration timeout) {
            if (!timeout.isPositive()) {
                throw new IllegalArgumentException(
                        "an RPC timeout must be more than zero, but got " + timeout);
            }
            return set("gradwire.rpc-timeout", timeout.toString());
        }

        /**
         * Set the retry policy of some functions: {@link RpcCalls#withRetry}. If several policies
         * match a function, the first one applies.
         *
         * @param functions name as in {@link FunctionSchema}, such as {@code my.pkg.Jobs.scale} or
         *     {@code aten::add}, where {@code *} matches any text
         * @throws IllegalArgumentException when the pattern is malformed
         */
        public Builder retry(String functions, RetryPolicy policy) {
            if (!functions.matches("[^=,\\s]+")) {
                throw new IllegalArgumentException(
                        "a policy needs the name of a function, in which * stands for any text, but got '%s'"
                                .formatted(functions));
            }
            String rule =
                    "%s=%d %s %s %s"
                            .formatted(
                                    functions,
                                    policy.maxRetries(),
                                    policy.firstDelay(),
                                    policy.backoff(),
                                    policy.attemptTimeout());
            settings.merge("gradwire.retries", rule, (rules, more) -> rules + "," + more);
            return this;
        }

        /**
         * Map devices of this worker to devices of another one: a tensor sent there is placed on
         * the mapped device, and a result by the inverse mapping. Further calls for the same worker
         * add to the map.
         *
         * @param worker its name
         * @param targets names of devices of that worker, by names of devices of this one, such as
         *     {@code cuda:0}
         */
        public Builder deviceMap(String worker, Map<String, String> targets) {
            String pairs =
                    targets.entrySet().stream()
                            .map(pair -> pair.getKey() + "=" + pair.getValue())
                            .collect(Collectors.joining(" "));
            settings.merge(
                    "gradwire.device-maps",
                    worker + " " + pairs,
                    (rules, more) -> rules + "," + more);
            return this;
        }

        /** Set the devices that the worker uses. By default, the devices of its device maps. */
        public Builder devices(List<String> devices) {
            return set("gradwire.devices", String.join(",", devices));
        }

        /**
         * Set the value of any setting by its key.
         *
         * @param key with its prefix, such as {@code gradwire.tensorpipe.term-length}
         */
        public Builder set(String key, String value) {
            settings.put(key, value);
            return this;
        }

        /**
         * Register a codec for calls from and to this worker.
         *
         * @param codec with a unique name
         */
        public Builder udfCodec(UdfCodec codec) {
            udfCodecs.add(codec);
            return this;
        }

        /** Return options with the settings so far. */
        public RpcOptions build() {
            return new RpcOptions(settings, udfCodecs);
        }
    }

    /** Settings by key, unmodifiable. {@link #toString} masks the token. */
    private static final class PrintableSettings extends AbstractMap<String, String> {
        private static final String SECRET = "gradwire.authentication-token";

        private final Map<String, String> values;

        PrintableSettings(Map<String, String> values) {
            this.values = Collections.unmodifiableMap(new TreeMap<>(values));
        }

        @Override
        public Set<Entry<String, String>> entrySet() {
            return values.entrySet();
        }

        @Override
        public @Nullable String get(@Nullable Object key) {
            return values.get(key);
        }

        @Override
        public boolean containsKey(@Nullable Object key) {
            return values.containsKey(key);
        }

        @Override
        public String toString() {
            var shown = new TreeMap<>(values);
            shown.computeIfPresent(SECRET, (_, _) -> "***");
            return shown.toString();
        }
    }
}
