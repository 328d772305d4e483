package org.gradwire.backend.netty;

import io.netty.util.Version;

import org.gradwire.spi.OsNative;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Choice of a {@link Transport}: the native one if its library is on the class or module path in
 * the version of Netty's classes, otherwise NIO.
 *
 * <p>The versions are compared because Netty does not: a library of another version loads, and
 * fails at the first connection.
 *
 * @param level of its line in the log
 * @param why reason of the choice, in one sentence
 */
record TransportChoice(Transport transport, Level level, String why) {
    private static final System.Logger LOG =
            System.getLogger(TransportChoice.class.getPackageName());

    /** The transport of all agents in this JVM. */
    static final Transport CHOSEN = ofThisJvm();

    private static Transport ofThisJvm() {
        TransportChoice choice =
                choose(
                        System.getProperty("os.name", ""),
                        OsNative.isOn(),
                        versions(),
                        Transport::obstacle);
        LOG.log(choice.level, "the transport is {0}: {1}", choice.transport, choice.why);
        return choice.transport;
    }

    /** {@return the version of each of Netty's artifacts on the class and module path} */
    private static Map<String, String> versions() {
        return Version.identify(TransportChoice.class.getClassLoader()).entrySet().stream()
                .collect(
                        Collectors.toMap(
                                Map.Entry::getKey, entry -> entry.getValue().artifactVersion()));
    }

    /**
     * Choose a transport.
     *
     * @param versions of Netty's artifacts that are present
     * @param obstacle returns the reason why a transport cannot be used, or null; it loads the
     *     library, so it is called only if the library is present in the right version
     */
    static TransportChoice choose(
            String osName,
            boolean isNativeOn,
            Map<String, String> versions,
            Function<Transport, @Nullable String> obstacle) {
        if (!isNativeOn) {
            return nio(Level.DEBUG, OsNative.SETTING.key() + "=off");
        }
        Transport candidate = Transport.nativeOf(osName);
        if (candidate == Transport.NIO) {
            return nio(Level.DEBUG, "there is no native transport for " + osName);
        }
        if (!versions.containsKey(candidate.nativeArtifact())) {
            return nio(Level.DEBUG, candidate.nativeArtifact() + " is missing");
        }
        return chooseIfUsable(candidate, versions, obstacle);
    }

    private static TransportChoice chooseIfUsable(
            Transport candidate,
            Map<String, String> versions,
            Function<Transport, @Nullable String> obstacle) {
        List<String> found =
                candidate.artifacts().stream()
                        .map(name -> versions.getOrDefault(name, "missing"))
                        .toList();
        if (new HashSet<>(found).size() > 1) {
            return nio(Level.WARNING, mismatch(candidate, found));
        }
        String why = obstacle.apply(candidate);
        return why == null
                ? new TransportChoice(
                        candidate,
                        Level.DEBUG,
                        "%s %s is present".formatted(candidate.nativeArtifact(), found.getLast()))
                : nio(
                        Level.INFO,
                        "%s is present and cannot be used: %s"
                                .formatted(candidate.nativeArtifact(), why));
    }

    private static String mismatch(Transport candidate, List<String> found) {
        List<String> names = candidate.artifacts();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            text.append(i == 0 ? "" : ", ").append(names.get(i)).append(' ').append(found.get(i));
        }
        return "%s have different versions; put all of them in one version on the class path or among the resolved modules, or leave %s out"
                .formatted(text, candidate.nativeArtifact());
    }

    private static TransportChoice nio(Level level, String why) {
        return new TransportChoice(Transport.NIO, level, why);
    }
}
