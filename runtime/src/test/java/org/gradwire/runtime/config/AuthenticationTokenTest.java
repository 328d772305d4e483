package org.gradwire.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.spi.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The token of a group, from a file and from the settings. */
class AuthenticationTokenTest {
    private static final String TOKEN = "a token of 28 characters, ok";
    private static final String KEY = Settings.AUTHENTICATION_TOKEN;
    private static final String FILE_KEY = RuntimeSettings.AUTHENTICATION_TOKEN_FILE;

    @TempDir private Path folder = Path.of("");

    private Path file(String mode, byte[] content) throws IOException {
        Path file = folder.resolve("token");
        Files.write(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        return file;
    }

    private Path file(String content) throws IOException {
        return file("rw-------", content.getBytes(StandardCharsets.UTF_8));
    }

    private static LayeredSettings collect(RpcOptions.Builder options) {
        return LayeredSettings.collect(
                options.build(),
                RuntimeSettings.ALL,
                AuthenticationTokenTest.class.getClassLoader());
    }

    private static LayeredSettings withFile(Path file) {
        return collect(RpcOptions.builder().authenticationTokenFile(file));
    }

    private static String refusal(RpcOptions.Builder options) {
        String text =
                assertThrows(RpcConfigurationException.class, () -> collect(options)).getMessage();
        assertFalse(text.contains(TOKEN), text);
        return text;
    }

    private static String refusal(Path file) {
        String text = refusal(RpcOptions.builder().authenticationTokenFile(file));
        assertTrue(text.contains(FILE_KEY), text);
        assertTrue(text.contains("from the options"), text);
        return text;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\n"})
    void fileGivesTheTokenWithoutOneLineEnd(String end) throws IOException {
        Path file = file(TOKEN + end);
        LayeredSettings settings = withFile(file);
        assertEquals(TOKEN, settings.text(KEY));
        assertEquals("the file " + file, settings.origin(KEY));
    }

    @Test
    void onlyOneLineEndIsRemoved() throws IOException {
        assertEquals(TOKEN + "\n", withFile(file(TOKEN + "\n\n")).text(KEY));
    }

    @Test
    void fileIsReadOnce() throws IOException {
        Path file = file(TOKEN);
        LayeredSettings settings = withFile(file);
        Files.delete(file);
        assertEquals(TOKEN, settings.text(KEY));
    }

    @Test
    void symbolicLinkToAPrivateFileIsFollowed() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), file(TOKEN));
        assertEquals(TOKEN, withFile(link).text(KEY));
    }

    @ParameterizedTest
    @CsvSource({"rw-r-----, 0640", "rw----r--, 0604", "rw--w----, 0620", "rwx-----x, 0701"})
    void fileThatOthersMayUseIsRefused(String permissions, String mode) throws IOException {
        Path file = file(permissions, TOKEN.getBytes(StandardCharsets.UTF_8));
        String text = refusal(file);
        assertTrue(text.contains("has mode " + mode + ", which gives others access"), text);
        assertTrue(text.contains("chmod 600 " + file.toRealPath()), text);
    }

    @Test
    void credentialOfSystemdMayHaveAnAccessControlList() throws IOException {
        byte[] content = TOKEN.getBytes(StandardCharsets.UTF_8);
        String file = file("r--r-----", content).toString();
        assertEquals(TOKEN, new TokenFile(file, "a test", folder.toString()).read());
        assertThrows(
                RpcConfigurationException.class,
                () -> new TokenFile(file, "a test", folder.resolve("..").toString()).read());
        file("r--r--r--", content);
        assertThrows(
                RpcConfigurationException.class,
                () -> new TokenFile(file, "a test", folder.toString()).read());
    }

    @Test
    void fileOfAnotherUserIsRefused() throws IOException {
        Path file = file(TOKEN);
        int user = (int) Files.getAttribute(file, "unix:uid");
        assumeTrue(user == 0, "skipped: only root can give a file to another user");
        Files.setAttribute(file, "unix:uid", 65534);
        String text = refusal(file);
        assertTrue(text.contains("belongs to the user with id 65534"), text);
        assertTrue(text.contains("chown 0 "), text);
    }

    @Test
    void fileThatHoldsNoTokenIsRefused() throws IOException {
        assertTrue(refusal(folder.resolve("none")).contains("does not exist; make it: (umask 077"));
        assertTrue(refusal(folder).contains("is not a regular file"));
        assertTrue(refusal(file("")).contains("holds no token; make one: (umask 077"));
        assertTrue(refusal(file("\n")).contains("holds no token"));
        assertTrue(refusal(file(" ".repeat(32))).contains("holds no token"));
        assertTrue(refusal(file("x".repeat(4097))).contains("has more than 4096 bytes"));
        assertTrue(refusal(file("rw-------", new byte[] {-1, -2})).contains("is not UTF-8 text"));
        assertTrue(refusal(Path.of("a\nb")).contains("does not exist"));
    }

    @Test
    void longestFileIsRead() throws IOException {
        assertEquals(4096, withFile(file("x".repeat(4096))).text(KEY).length());
    }

    @Test
    void shortTokenIsRefusedWhereverItStands() throws IOException {
        String inFile = refusal(file("fifteen letters"));
        assertTrue(
                inFile.contains("has 15 characters and can be guessed; it must have at least 16"));
        String text = refusal(RpcOptions.builder().set(KEY, "fifteen letters"));
        assertTrue(text.contains("the token of " + KEY + " (from the options) has 15"), text);
        assertTrue(text.contains("head -c 32 /dev/urandom | base64"), text);
        assertFalse(text.contains("fifteen"), text);
        assertFalse(inFile.contains("fifteen"), inFile);
        assertEquals(
                16, collect(RpcOptions.builder().set(KEY, "sixteen letters!")).text(KEY).length());
    }

    @Test
    void tokenAndFileMustAgree() throws IOException {
        Path file = file(TOKEN);
        var both = RpcOptions.builder().authenticationTokenFile(file);
        assertEquals(TOKEN, collect(both.set(KEY, TOKEN)).text(KEY));
        String text = refusal(both.set(KEY, "another token of many letters"));
        assertTrue(text.contains(KEY + " (from the options) and the file of " + FILE_KEY), text);
        assertTrue(text.contains("hold different tokens; set only one of them"), text);
        assertFalse(text.contains("another token"), text);
    }

    @Test
    void neitherIsNoToken() {
        assertTrue(collect(RpcOptions.builder()).find(KEY).isEmpty());
        assertTrue(
                collect(RpcOptions.builder().set(KEY, "").set(FILE_KEY, "")).find(KEY).isEmpty());
    }

    @Test
    void tokenIsNeverPrinted() {
        RpcOptions options = RpcOptions.builder("me").set(KEY, TOKEN).build();
        assertEquals("RpcOptions{" + KEY + "=***, gradwire.name=me}", options.toString());
        assertEquals("{" + KEY + "=***, gradwire.name=me}", options.settings().toString());
        assertEquals(TOKEN, options.settings().get(KEY));
        LayeredSettings settings = collect(RpcOptions.builder().set(KEY, TOKEN));
        String text =
                assertThrows(RpcConfigurationException.class, () -> settings.duration(KEY))
                        .getMessage();
        assertTrue(text.startsWith(KEY + "=*** (from the options) must be a duration"), text);
    }
}
