package org.gradwire.tensor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Reads programs from standard input and writes a line for each: the rules that accept differences,
 * and {@code ok} or the first difference that none accepts, between tabs. {@code
 * src/test/python/fuzz} starts it.
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
        FuzzRun.Outcome outcome = FuzzRun.of(program);
        String last = outcome.difference().orElse("ok").replaceAll("\\s", " ");
        return String.join("\t", outcome.accepted()) + "\t" + last;
    }
}
