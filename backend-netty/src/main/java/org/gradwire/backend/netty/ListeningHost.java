package org.gradwire.backend.netty;

import org.gradwire.spi.Settings;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * The address at which a worker listens and its peers reach it.
 *
 * @param address of an interface of this host
 */
record ListeningHost(InetAddress address) {
    private static final int DISCARD_PORT = 9;

    /**
     * Determine the address from the settings.
     *
     * @param mayBeRemote whether peers on other hosts may connect: messages are encrypted, or the
     *     program permits plain text
     * @throws org.gradwire.rpc.RpcConfigurationException when the configured one cannot be used
     */
    static ListeningHost of(Settings settings, boolean mayBeRemote) {
        String text = settings.find(SettingKeys.HOST).orElse("").strip();
        if (text.isEmpty()) {
            return new ListeningHost(
                    mayBeRemote ? ofDefaultRoute() : InetAddress.getLoopbackAddress());
        }
        InetAddress address = resolve(settings, text);
        if (address.isAnyLocalAddress()) {
            throw settings.wrong(
                    SettingKeys.HOST,
                    "an address of this host that its peers can connect to, such as 10.0.0.5; omit it for the address of the default route");
        }
        if (!mayBeRemote && !address.isLoopbackAddress()) {
            throw settings.wrong(
                    SettingKeys.HOST,
                    "a loopback address as long as messages are not encrypted: set %s, %s and %s, or %s=true in a network that no third party can read or write"
                            .formatted(
                                    Settings.CERTIFICATE,
                                    Settings.PRIVATE_KEY,
                                    Settings.TRUST,
                                    SettingKeys.PLAIN));
        }
        return new ListeningHost(address);
    }

    private static InetAddress resolve(Settings settings, String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException _) {
            throw settings.wrong(
                    SettingKeys.HOST, "an address or a name of this host; the name has no address");
        }
    }

    /** Connecting a datagram socket sends nothing, and selects the local address of the route. */
    private static InetAddress ofDefaultRoute() {
        try (var socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), DISCARD_PORT));
            InetAddress address = socket.getLocalAddress();
            return address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
        } catch (IOException | java.io.UncheckedIOException _) {
            return InetAddress.getLoopbackAddress(); // there is no network
        }
    }
}
