package org.gradwire.checkpoint.s3;

import org.gradwire.spi.process.FreePort;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A process of S3Proxy, an object store of others that verifies signatures, with objects in memory
 * and one bucket, {@code bucket}.
 */
final class S3Proxy implements AutoCloseable {
    static final Path JARS = Path.of(System.getProperty("s3proxy.jars"));

    private final Process process;
    private final URI uri;

    private S3Proxy(Process process, URI uri) {
        this.process = process;
        this.uri = uri;
    }

    static S3Proxy start(Path directory) throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + FreePort.choose());
        Path configuration = directory.resolve("s3proxy.conf");
        Map<String, String> settings = new TreeMap<>();
        settings.put("s3proxy.endpoint", uri.toString());
        settings.put("s3proxy.authorization", "aws-v4");
        settings.put("s3proxy.identity", Stores.KEY.accessKey());
        settings.put("s3proxy.credential", Stores.KEY.secretKey());
        settings.put("jclouds.provider", "transient-nio2");
        settings.put("jclouds.identity", "any");
        settings.put("jclouds.credential", "any");
        Files.writeString(
                configuration,
                settings.entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue() + "\n")
                        .collect(Collectors.joining()));
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx512m",
                        "-Dlogback.configurationFile="
                                + Path.of("src/test/resources/s3proxy-logback.xml")
                                        .toAbsolutePath(),
                        "-cp",
                        JARS + File.separator + "*",
                        "org.gaul.s3proxy.Main",
                        "--properties",
                        configuration.toString());
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(new File("target/s3proxy.log"))
                        .start();
        var proxy = new S3Proxy(process, uri);
        try {
            proxy.createBucket();
        } catch (IOException e) {
            proxy.close();
            throw new IOException("S3Proxy has not started; see target/s3proxy.log", e);
        }
        return proxy;
    }

    /** Create the bucket when the server accepts connections. */
    private void createBucket() throws IOException {
        var _ = client(Duration.ofSeconds(30)).send(S3Request.of("PUT", ""));
    }

    private S3Client client(Duration retryTime) {
        return new S3Client(
                S3Address.parse("s3://bucket"),
                Stores.settings(uri, Duration.ofSeconds(20), retryTime));
    }

    S3Client client() {
        return client(Duration.ofSeconds(20));
    }

    URI uri() {
        return uri;
    }

    S3Storage storage(String prefix) {
        return Stores.storage(uri, "s3://bucket/" + prefix);
    }

    /** {@return all keys with a prefix} */
    List<String> keys(String prefix) throws IOException {
        return new Listings(client()).keys(prefix).stream().sorted().toList();
    }

    /** {@return the keys of uploads that have not ended} */
    List<String> uploads(String prefix) throws IOException {
        return new Listings(client())
                .uploads(prefix).stream().map(Listings.Upload::key).sorted().toList();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
