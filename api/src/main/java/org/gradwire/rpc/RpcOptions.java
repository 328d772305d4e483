package org.gradwire.rpc;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How a worker is to be started, as far as the program says so; the rest comes from its
 * surroundings.
 *
 * <p>Each setting has a key, {@code gradwire.rank} say. It is looked for in these places, and the
 * first one that has it wins: this object, the system property {@code gradwire.rank}, the
 * environment variable {@code GRADWIRE_RANK}, the file {@code gradwire.properties} on the module or
 * class path, and the default. A key that nobody knows is an error that lists those that exist;
 * {@code docs/configuration.md} describes them all.
 */
public final class RpcOptions {
    private final Map<String, String> settings;
    private final List<UdfCodec> udfCodecs;

    private RpcOptions(Map<String, String> settings, List<UdfCodec> udfCodecs) {
        this.settings = new PrintableSettings(settings);
        this.udfCodecs = List.copyOf(udfCodecs);
    }

    /**
     * Return options that leave everything to the surroundings; under {@code ./gradwire run}
     * nothing else is needed.
     */
    public static RpcOptions fromEnvironment() {
        return new Builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Return a builder with the worker's name set. */
    public static Builder builder(String name) {
        return new Builder().name(name);
    }

    /** {@return what was set, by key; as text, the map shows {@code ***} for the token} */
    public Map<String, String> settings() {
        return settings;
    }

    /** {@return the codecs that were registered, in their order} */
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
         * Join a group whose workers come and go while calls are running, instead of one of a fixed
         * size whose workers meet and leave together.
         */
        public Builder dynamicGroup() {
            return set("gradwire.group", "dynamic");
        }

        /** Set the backend by its name, such as {@code tensorpipe} or {@code inproc}. */
        public Builder backend(String backend) {
            return set("gradwire.backend", backend);
        }

        /**
         * Set where the workers meet: {@code tcp://host:port} (rank 0 serves it), {@code
         * file:///path}, {@code env://}, or {@code inproc://name}.
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
         * Set how long a call may take unless it says otherwise; {@link Duration#ZERO} means
         * without end.
         */
        public Builder rpcTimeout(Duration timeout) {
            return set("gradwire.rpc-timeout", timeout.toString());
        }

        /**
         * Let calls of some functions be sent again until they are answered: {@link
         * RpcCalls#withRetry}. Of several policies that fit a function the first one counts.
         *
         * @param functions name as in {@link FunctionSchema}, such as {@code my.pkg.Jobs.scale} or
         *     {@code aten::add}, where {@code *} stands for any text
         * @throws IllegalArgumentException when that is no such name
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
         * Say on which devices of another worker tensors lie that are sent there; its results come
         * back the other way. Called again for a worker, it adds to what was said.
         *
         * @param worker its name
         * @param targets names of devices there by those of devices here, such as {@code cuda:0}
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

        /** Set the devices that the worker uses; without it, those of the device maps. */
        public Builder devices(List<String> devices) {
            return set("gradwire.devices", String.join(",", devices));
        }

        /**
         * Set any setting by its key.
         *
         * @param key with its prefix, such as {@code gradwire.tensorpipe.term-length}
         */
        public Builder set(String key, String value) {
            settings.put(key, value);
            return this;
        }

        /**
         * Register a codec that this worker's calls may use, and those of peers to it.
         *
         * @param codec its name is that of no other
         */
        public Builder udfCodec(UdfCodec codec) {
            udfCodecs.add(codec);
            return this;
        }

        public RpcOptions build() {
            return new RpcOptions(settings, udfCodecs);
        }
    }
}
