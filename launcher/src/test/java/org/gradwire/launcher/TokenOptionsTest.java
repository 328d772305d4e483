package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import picocli.CommandLine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The token of a run's workers. */
class TokenOptionsTest {
    private static final World WHOLE = new World(2, 0, 2, "worker", Optional.empty());
    private static final World PART =
            new World(2, 2, 4, "worker", Optional.of("tcp://10.0.0.1:29500"));
    private static final String TOKEN = "a token of 28 characters, ok";
    private static final String VARIABLE = "GRADWIRE_AUTHENTICATION_TOKEN";
    private static final String FILE_VARIABLE = "GRADWIRE_AUTHENTICATION_TOKEN_FILE";
    private static final List<String> NO_ARGS = List.of();

    private static GroupToken token(
            World world, Map<String, String> environment, List<String> jvmArgs, String... options) {
        return CommandLine.populateCommand(new TokenOptions(), options)
                .token(world, environment, jvmArgs, false);
    }

    private static String refusal(World world, Map<String, String> environment, String... options) {
        String text =
                String.valueOf(
                        assertThrows(
                                        LauncherException.class,
                                        () -> token(world, environment, NO_ARGS, options))
                                .getMessage());
        assertFalse(text.contains(TOKEN), text);
        return text;
    }

    @Test
    void groupOnThisMachineGetsANewTokenOf256Bits() {
        var first = assertInstanceOf(GroupToken.Text.class, token(WHOLE, Map.of(), NO_ARGS));
        var second = assertInstanceOf(GroupToken.Text.class, token(WHOLE, Map.of(), NO_ARGS));
        assertEquals(32, Base64.getUrlDecoder().decode(first.secret()).length);
        assertNotEquals(first.secret(), second.secret());
        assertEquals("Text[***]", first.toString());
    }

    @Test
    void tokenOfTheUserIsUsed(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), TOKEN);
        for (World world : List.of(WHOLE, PART)) {
            assertEquals(
                    new GroupToken.Text(TOKEN), token(world, Map.of(VARIABLE, TOKEN), NO_ARGS));
            var inFile = new GroupToken.InFile(file);
            assertEquals(inFile, token(world, Map.of(), NO_ARGS, "--token-file=" + file));
            assertEquals(inFile, token(world, Map.of(FILE_VARIABLE, file.toString()), NO_ARGS));
            String property = "-Dgradwire.authentication-token-file=" + file;
            assertEquals(inFile, token(world, Map.of(), List.of(property)));
            assertEquals(
                    inFile, token(world, Map.of(VARIABLE, TOKEN), NO_ARGS, "--token-file=" + file));
        }
    }

    @Test
    void groupOfSeveralLaunchersNeedsAToken() {
        String text = refusal(PART, Map.of());
        assertEquals(
                "a group of several launchers needs a token, the same for all of them: make a file"
                        + " with a token, ./gradwire token FILE, and add --token-file FILE to each"
                        + " command, after copying the file to the other machines (scp -p). In a"
                        + " network where every host is trusted, --env GRADWIRE_INSECURE=true"
                        + " permits a group without a token",
                text);
        var none = new GroupToken.None();
        assertEquals(none, token(PART, Map.of("GRADWIRE_INSECURE", "true"), NO_ARGS));
        assertEquals(none, token(PART, Map.of(), List.of("-Dgradwire.insecure=true")));
        assertInstanceOf(
                GroupToken.Text.class, token(WHOLE, Map.of("GRADWIRE_INSECURE", "true"), NO_ARGS));
    }

    @Test
    void unusableTokenIsRefused(@TempDir Path folder) {
        String none = folder.resolve("none").toString();
        assertEquals(
                "the token file %s does not exist: make it with ./gradwire token %s"
                        .formatted(none, none),
                refusal(WHOLE, Map.of(), "--token-file=" + none));
        assertTrue(
                refusal(WHOLE, Map.of(FILE_VARIABLE, folder.toString())).contains("is not a file"));
        String both = refusal(WHOLE, Map.of(FILE_VARIABLE, none, VARIABLE, TOKEN));
        assertTrue(both.startsWith("both " + VARIABLE + " and " + FILE_VARIABLE), both);
        String guessable = refusal(WHOLE, Map.of(VARIABLE, "fifteen letters"));
        assertTrue(guessable.contains("has 15 characters and can be guessed"), guessable);
        assertFalse(guessable.contains("fifteen"), guessable);
    }

    @ParameterizedTest
    @CsvSource({
        "GRADWIRE_AUTHENTICATION_TOKEN=x, ''",
        "GRADWIRE_AUTHENTICATION_TOKEN=, ''",
        "JDK_JAVA_OPTIONS=-ea -Dgradwire.authentication-token=x, ''",
        "'', -Dgradwire.authentication-token=x"
    })
    void tokenInACommandLineIsRefused(String variable, String jvmArg) {
        String[] pair = variable.split("=", 2);
        Map<String, String> environment = variable.isEmpty() ? Map.of() : Map.of(pair[0], pair[1]);
        List<String> jvmArgs = jvmArg.isEmpty() ? List.of() : List.of(jvmArg);
        var failure =
                assertThrows(
                        LauncherException.class,
                        () -> TokenOptions.refuseVisibleToken(environment, jvmArgs));
        assertEquals(
                (variable.isEmpty() ? "--jvm-arg" : "--env")
                        + " with a token shows it to every user of this machine, as part of a"
                        + " command line; make a new one: make a file with a token, ./gradwire"
                        + " token FILE, and add --token-file FILE",
                failure.getMessage());
    }

    @Test
    void otherVariablesAndArgumentsAreNot() {
        TokenOptions.refuseVisibleToken(
                Map.of("A", "b", FILE_VARIABLE, "/x"),
                List.of("-Dgradwire.authentication-token-file=/x", "-Xmx1g"));
    }
}
