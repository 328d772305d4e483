package org.gradwire.store.etcd;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.spi.store.StoreContext;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A rendezvous in etcd.
 *
 * @param endpoints URIs of the cluster's members, without a path
 * @param job prefix of the job's keys, without a slash at the end
 */
record EtcdAddress(List<URI> endpoints, String job) {
    static final String PLAIN = "etcd";
    static final String TLS = "etcds";
    static final String FORM = "etcd://host:port[,host:port...]/job or etcds://...";

    private static final Pattern ADDRESS =
            Pattern.compile("(etcds?)://([^/]+)/([A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*)");
    private static final Pattern ENDPOINT =
            Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::(\\d{1,5}))?");
    private static final String PORT = "2379";
    private static final int MAX_PORT = 65535;
    private static final int MAX_JOB_LENGTH = 256;

    /**
     * Parse an address.
     *
     * @throws RpcConfigurationException when it does not have the form; a password in it is masked
     */
    static EtcdAddress parse(String address) {
        Matcher matcher = ADDRESS.matcher(address);
        if (address.contains("@")) {
            throw new RpcConfigurationException(
                    "gradwire.rendezvous=%s names a user; addresses are printed, so set %s and %s instead"
                            .formatted(
                                    StoreContext.masked(address),
                                    EtcdSettings.USER,
                                    EtcdSettings.PASSWORD_FILE));
        }
        if (!matcher.matches() || matcher.group(3).length() > MAX_JOB_LENGTH) {
            throw malformed(address);
        }
        String scheme = matcher.group(1).equals(TLS) ? "https" : "http";
        List<URI> endpoints = new ArrayList<>();
        for (String endpoint : matcher.group(2).split(",", -1)) {
            endpoints.add(endpoint(address, scheme, endpoint));
        }
        return new EtcdAddress(List.copyOf(endpoints), matcher.group(3));
    }

    private static URI endpoint(String address, String scheme, String text) {
        Matcher matcher = ENDPOINT.matcher(text);
        if (!matcher.matches()) {
            throw malformed(address);
        }
        String port = matcher.group(2) == null ? PORT : matcher.group(2);
        int number = Integer.parseInt(port);
        if (number < 1 || number > MAX_PORT) {
            throw malformed(address);
        }
        try {
            return URI.create("%s://%s:%d".formatted(scheme, matcher.group(1), number));
        } catch (IllegalArgumentException _) {
            throw malformed(address);
        }
    }

    private static RpcConfigurationException malformed(String address) {
        return StoreContext.malformed(address, FORM);
    }

    /** {@return whether an endpoint is not on the loopback interface} */
    boolean isReachable() {
        return endpoints.stream().anyMatch(endpoint -> !isLoopback(endpoint.getHost()));
    }

    private static boolean isLoopback(String host) {
        try {
            return host != null
                    && Stream.of(InetAddress.getAllByName(host))
                            .allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException _) {
            return false;
        }
    }

    /** {@return the endpoints, for messages} */
    String hosts() {
        return String.join(",", endpoints.stream().map(URI::getAuthority).toList());
    }

    /** {@return the failure of a run whose keys are no longer in etcd} */
    RpcConnectionException ended() {
        return new RpcConnectionException(
                "the run of job %s in etcd at %s has ended: this worker could not reach etcd in time, or another run has begun"
                        .formatted(job, hosts()));
    }
}
