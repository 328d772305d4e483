package org.gradwire.runtime.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.runtime.config.LayeredSettings;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.runtime.store.TestStores;
import org.gradwire.spi.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups that other hosts can reach need a token. */
class RendezvousPolicyTest {
    private final RendezvousPolicy policy = new RendezvousPolicy(new TestStores().factory());

    private static Settings settings(String address, String key, String value) {
        return LayeredSettings.collect(
                RpcOptions.builder().rendezvous(address).set(key, value).build(),
                RuntimeSettings.ALL,
                RendezvousPolicyTest.class.getClassLoader());
    }

    private static Settings withoutToken(String address) {
        return settings(address, Settings.AUTHENTICATION_TOKEN, "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tcp://127.0.0.1:29500",
                "tcp://127.3.2.1:29500",
                "tcp://localhost:29500",
                "tcp://[::1]:29500",
                "file:///tmp/store",
                "inproc://name"
            })
    void groupOnThisHostNeedsNone(String address) {
        policy.check(withoutToken(address));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tcp://10.78.0.1:29500",
                "tcp://0.0.0.0:29500",
                "tcp://[::]:29500",
                "tcp://[2001:db8::1]:29500",
                "tcp://[::ffff:10.0.0.1]:29500",
                "tcp://no-such-host.invalid:29500"
            })
    void groupThatOtherHostsReachNeedsOne(String address) {
        var failure =
                assertThrows(
                        RpcConfigurationException.class, () -> policy.check(withoutToken(address)));
        assertEquals(
                "the rendezvous "
                        + address
                        + " (gradwire.rendezvous, from the options) can be reached from other hosts, and the group has neither a token nor certificates; make a token, (umask 077 && head -c 32 /dev/urandom | base64 > FILE), copy it to each host, and set gradwire.authentication-token-file=FILE for all workers. In a network where every host is trusted, gradwire.insecure=true permits a group without a token",
                failure.getMessage());
        policy.check(settings(address, Settings.AUTHENTICATION_TOKEN, "sixteen letters!"));
    }

    @Test
    void choiceMustBeTrueOrFalseForAnyAddress() {
        Settings odd = settings("inproc://name", RuntimeSettings.INSECURE, "yes");
        var failure = assertThrows(RpcConfigurationException.class, () -> policy.check(odd));
        assertTrue(failure.getMessage().startsWith("gradwire.insecure=yes"), failure.getMessage());
    }
}
