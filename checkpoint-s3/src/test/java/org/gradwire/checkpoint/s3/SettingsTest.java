package org.gradwire.checkpoint.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Addresses, settings and access keys. */
class SettingsTest {
    private static final Map<String, String> KEY =
            Map.of("AWS_ACCESS_KEY_ID", "AKID", "AWS_SECRET_ACCESS_KEY", "very secret");

    @TempDir Path directory;

    private record Given(Map<String, String> values) implements Settings {
        @Override
        public Optional<String> find(String key) {
            return Optional.ofNullable(values.get(key))
                    .or(() ->
                            S3Settings.ALL.stream()
                                    .filter(setting -> setting.key().equals(key))
                                    .map(Setting::defaultValue)
                                    .findFirst())
                    .filter(text -> !text.isEmpty());
        }

        @Override
        public String origin(String key) {
            return "test";
        }
    }

    private static S3Settings read(Map<String, String> settings, Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(KEY);
        all.putAll(environment);
        return S3Settings.read(new Given(settings), name -> Optional.ofNullable(all.get(name)));
    }

    private static String url(S3Settings settings, String address) {
        S3Address parsed = S3Address.parse(address);
        return Endpoint.of(settings, parsed.bucket())
                .uri(parsed.key("a b"), new TreeMap<>(Map.of("x", "1/2")))
                .toString();
    }

    @Test
    void amazonIsTheDefaultWithTheBucketInTheHost() {
        assertEquals(
                "https://bucket.s3.us-east-1.amazonaws.com/p/q/a%20b?x=1%2F2",
                url(read(Map.of(), Map.of()), "s3://bucket/p/q/"));
        assertEquals(
                "https://s3.eu-west-3.amazonaws.com/my.bucket/a%20b?x=1%2F2",
                url(read(Map.of(), Map.of("AWS_REGION", "eu-west-3")), "s3://my.bucket"));
        assertEquals(
                "https://bucket.s3.cn-north-1.amazonaws.com.cn/a%20b?x=1%2F2",
                url(read(Map.of("gradwire.s3.region", "cn-north-1"), Map.of()), "s3://bucket/"));
    }

    @Test
    void otherEndpointsHaveTheBucketInThePathUnlessSet() {
        Map<String, String> environment = Map.of("AWS_ENDPOINT_URL", "http://store:9000");
        S3Settings path = read(Map.of(), environment);
        assertEquals("http://store:9000/bucket/a%20b?x=1%2F2", url(path, "s3://bucket"));
        assertEquals("store:9000", Endpoint.of(path, "bucket").host());
        S3Settings virtual = read(Map.of("gradwire.s3.addressing", "virtual"), environment);
        assertEquals("http://bucket.store:9000/a%20b?x=1%2F2", url(virtual, "s3://bucket"));
        S3Settings set = read(Map.of("gradwire.s3.endpoint", "https://other:443/"), environment);
        assertEquals("other", Endpoint.of(set, "bucket").host());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://",
                "s3:/bucket",
                "s3://B/p",
                "s3://bucket/a//b",
                "s3://bucket/../b",
                "s3://bucket/a?b",
                "s3://bucket/a%20b",
                "s3://bucket:80/p",
                "s3://u@bucket/p"
            })
    void wrongAddressesAreRefused(String address) {
        String message =
                String.valueOf(
                        assertThrows(IllegalArgumentException.class, () -> S3Address.parse(address))
                                .getMessage());
        assertTrue(
                message.startsWith(
                        "'%s' is not an address of S3; use s3://bucket/".formatted(address)),
                message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gradwire.s3.endpoint=ftp://store",
                "gradwire.s3.endpoint=https://user:password@store",
                "gradwire.s3.endpoint=https://store/path",
                "gradwire.s3.region=a/b",
                "gradwire.s3.addressing=both",
                "gradwire.s3.request-timeout=1ms",
                "gradwire.s3.request-timeout=1000m",
                "gradwire.s3.retry-time=1000m",
                "gradwire.s3.part-size=1m",
                "gradwire.s3.part-size=1g"
            })
    void wrongSettingsAreRefused(String setting) {
        int equals = setting.indexOf('=');
        String key = setting.substring(0, equals);
        String message =
                String.valueOf(
                        assertThrows(
                                        RpcConfigurationException.class,
                                        () ->
                                                read(
                                                        Map.of(key, setting.substring(equals + 1)),
                                                        Map.of()))
                                .getMessage());
        assertTrue(message.startsWith(key), message);
        assertFalse(message.contains("password"), message);
    }

    @Test
    void secretsAreNotPrinted() {
        S3Settings settings = read(Map.of(), Map.of("AWS_SESSION_TOKEN", "also secret"));
        assertEquals("also secret", settings.credentials().get().token());
        assertEquals("Credentials[accessKey=AKID]", settings.credentials().get().toString());
        assertFalse(settings.toString().contains("secret"), settings::toString);
        assertEquals(
                "s3://bucket/p",
                new S3Storage(S3Address.parse("s3://bucket/p"), settings).toString());
    }

    @Test
    void aFileOfAccessKeysIsReadAgain() throws IOException {
        Path file = directory.resolve("credentials");
        Files.writeString(
                file,
                """
                [default]
                aws_access_key_id = one
                aws_secret_access_key = s1
                # comment = x
                [other]
                aws_access_key_id=two
                aws_secret_access_key=s=2
                aws_session_token=t
                """);
        Map<String, String> setting = Map.of("gradwire.s3.credentials-file", file.toString());
        assertEquals("one", read(setting, Map.of()).credentials().get().accessKey());
        CredentialSource other = read(setting, Map.of("AWS_PROFILE", "other")).credentials();
        assertEquals(new Credentials("two", "s=2", "t"), other.get());
        Files.writeString(file, "[other]\naws_access_key_id=three\n");
        String message =
                String.valueOf(
                        assertThrows(RpcConfigurationException.class, other::get).getMessage());
        assertEquals(
                file + " has no aws_access_key_id and aws_secret_access_key in its section [other]",
                message);
    }

    @Test
    void anAccessKeyIsRequired() {
        Map<String, String> none =
                Map.of("AWS_SHARED_CREDENTIALS_FILE", directory.resolve("none").toString());
        String message =
                String.valueOf(
                        assertThrows(
                                        RpcConfigurationException.class,
                                        () ->
                                                S3Settings.read(
                                                        new Given(Map.of()),
                                                        name ->
                                                                Optional.ofNullable(
                                                                        none.get(name))))
                                .getMessage());
        assertTrue(message.startsWith("there is no access key for S3; set AWS_ACCESS"), message);
    }

    @Test
    void theSchemeFindsTheProvider() throws IOException {
        Path file = directory.resolve("credentials");
        Files.writeString(file, "[default]\naws_access_key_id=a\naws_secret_access_key=b\n");
        System.setProperty(S3Settings.CREDENTIALS_FILE, file.toString());
        try {
            CheckpointStorage storage = CheckpointStorage.of("s3://bucket/prefix");
            assertInstanceOf(S3Storage.class, storage);
            assertEquals("s3://bucket/prefix", storage.toString());
        } finally {
            System.clearProperty(S3Settings.CREDENTIALS_FILE);
        }
    }
}
