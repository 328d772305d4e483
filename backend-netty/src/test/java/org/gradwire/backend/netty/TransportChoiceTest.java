package org.gradwire.backend.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The choice of a transport by the artifacts on the path, and its line in the log. */
class TransportChoiceTest {
    private static final String VERSION = "4.2.20.Final";
    private static final String EPOLL_LIBRARY = "netty-transport-native-epoll";

    private final List<Transport> asked = new ArrayList<>();
    private @Nullable String obstacle;

    /** {@return versions of the artifacts in a program with both native transports} */
    private static Map<String, String> everything() {
        Map<String, String> versions = new HashMap<>();
        Transport.EPOLL.artifacts().forEach(name -> versions.put(name, VERSION));
        Transport.KQUEUE.artifacts().forEach(name -> versions.put(name, VERSION));
        return versions;
    }

    private TransportChoice choose(String osName, boolean isNativeOn, Map<String, String> present) {
        return TransportChoice.choose(
                osName,
                isNativeOn,
                present,
                transport -> {
                    asked.add(transport);
                    return obstacle;
                });
    }

    private TransportChoice chooseOnLinux(Map<String, String> present) {
        return choose("Linux", true, present);
    }

    private static String mismatch(String classes, String library) {
        return ("netty-transport 4.2.20.Final, netty-transport-native-unix-common 4.2.20.Final,"
                        + " netty-transport-classes-epoll %s, netty-transport-native-epoll %s have"
                        + " different versions; put all of them in one version on the class path or among"
                        + " the resolved modules, or leave netty-transport-native-epoll out")
                .formatted(classes, library);
    }

    /** Asserts that NIO was chosen and no native library loaded. */
    private void assertNioWithoutLoading(Level level, String why, TransportChoice choice) {
        assertEquals(new TransportChoice(Transport.NIO, level, why), choice);
        assertEquals(List.of(), asked);
    }

    @ParameterizedTest
    @CsvSource({
        "Linux, EPOLL, netty-transport-native-epoll",
        "Mac OS X, KQUEUE, netty-transport-native-kqueue"
    })
    void theNativeTransportOfTheSystemIsTaken(String osName, Transport expected, String library) {
        assertEquals(
                new TransportChoice(expected, Level.DEBUG, library + " 4.2.20.Final is present"),
                choose(osName, true, everything()));
        assertEquals(List.of(expected), asked);
    }

    @Test
    void otherSystemsHaveNone() {
        assertNioWithoutLoading(
                Level.DEBUG,
                "there is no native transport for Windows 11",
                choose("Windows 11", true, everything()));
    }

    @Test
    void theSwitchForNativePartsTurnsItOff() {
        assertNioWithoutLoading(
                Level.DEBUG, "gradwire.os.native=off", choose("Linux", false, everything()));
    }

    @Test
    void nothingIsLoggedAboveDebugWithoutTheLibrary() {
        Map<String, String> present = everything();
        present.remove(EPOLL_LIBRARY);
        assertNioWithoutLoading(Level.DEBUG, EPOLL_LIBRARY + " is missing", chooseOnLinux(present));
    }

    @Test
    void aLibraryOfAnotherVersionIsNamedAndNotLoaded() {
        Map<String, String> present = everything();
        present.put(EPOLL_LIBRARY, "4.2.18.Final");
        assertNioWithoutLoading(
                Level.WARNING, mismatch("4.2.20.Final", "4.2.18.Final"), chooseOnLinux(present));
    }

    @Test
    void missingClassesOfTheTransportAreNamed() {
        Map<String, String> present = everything();
        present.remove("netty-transport-classes-epoll");
        assertNioWithoutLoading(
                Level.WARNING, mismatch("missing", "4.2.20.Final"), chooseOnLinux(present));
    }

    @Test
    void artifactsOfAnotherSystemDoNotMatter() {
        Map<String, String> present = everything();
        present.put("netty-transport-native-kqueue", "4.2.18.Final");
        assertEquals(Transport.EPOLL, chooseOnLinux(present).transport());
    }

    @Test
    void aLibraryThatCannotBeLoadedIsReportedAndNotUsed() {
        obstacle = "no netty_transport_native_epoll_aarch_64 in java.library.path";
        assertEquals(
                new TransportChoice(
                        Transport.NIO,
                        Level.INFO,
                        EPOLL_LIBRARY + " is present and cannot be used: " + obstacle),
                chooseOnLinux(everything()));
        assertEquals(List.of(Transport.EPOLL), asked);
    }

    @Test
    void nioCanBeUsedEverywhere() {
        assertNull(Transport.NIO.obstacle());
    }
}
