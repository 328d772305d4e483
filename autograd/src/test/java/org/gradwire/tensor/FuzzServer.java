package org.gradwire.tensor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Reads programs from standard input and writes a line for each: {@code ok}, the first difference,
 * or the rule that accepts it. {@code src/test/python/fuzz} starts it.
 */
final class FuzzServer {

    private FuzzServer() {}

    public static void main(String[] args) throws IOException {
        var reader = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (FuzzProgram program = FuzzProgram.read(reader);
                program != null;
                program = FuzzProgram.read(reader)) {
            out.println(answer(program));
        }
    }

    private static String answer(FuzzProgram program) {
        String difference = FuzzRun.difference(program).orElse("");
        return difference.isEmpty()
                ? "ok"
                : FuzzTriage.rule(difference)
                        .map(rule -> "accepted " + rule)
                        .orElse(difference.replace('\n', ' '));
    }
}
