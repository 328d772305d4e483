package org.gradwire.conformance.test;

import org.gradwire.conformance.stores.StoreConformance;
import org.gradwire.conformance.stores.StoreUnderTest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;

/** The rules of stores over {@code tcp}. */
class TcpStoreTest extends StoreConformance {
    @Override
    protected StoreUnderTest store() {
        return StoreUnderTest.of("tcp", TcpStoreTest::address, Map.of());
    }

    private static String address() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "tcp://127.0.0.1:" + socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
