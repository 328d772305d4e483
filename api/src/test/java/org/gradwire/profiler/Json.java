package org.gradwire.profiler;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON (RFC 8259) strictly, numbers as doubles. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object parse(String text) {
        var json = new Json(text);
        Object value = json.value();
        json.skipSpace();
        json.require(json.at == text.length(), "the end");
        return value;
    }

    private Object value() {
        skipSpace();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            default -> number();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        expect('{');
        if (!skip('}')) {
            do {
                skipSpace();
                String name = string();
                expect(':');
                require(members.put(name, value()) == null, "one " + name);
            } while (skip(','));
            expect('}');
        }
        return members;
    }

    private List<Object> array() {
        List<Object> elements = new ArrayList<>();
        expect('[');
        if (!skip(']')) {
            do {
                elements.add(value());
            } while (skip(','));
            expect(']');
        }
        return elements;
    }

    private String string() {
        var result = new StringBuilder();
        expect('"');
        while (peek() != '"') {
            char c = text.charAt(at++);
            require(c >= ' ', "no control character");
            result.append(c == '\\' ? escaped() : c);
        }
        at++;
        return result.toString();
    }

    private char escaped() {
        char c = text.charAt(at++);
        if (c == 'u') {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        require(c == '"' || c == '\\', "an escape");
        return c;
    }

    private Double number() {
        int start = at;
        while (at < text.length() && "-+.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String digits = text.substring(start, at);
        require(digits.matches("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][-+]?\\d+)?"), "a number");
        return Double.valueOf(digits);
    }

    private char peek() {
        require(at < text.length(), "more");
        return text.charAt(at);
    }

    private void skipSpace() {
        while (at < text.length() && " \n\r\t".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean skip(char c) {
        skipSpace();
        boolean there = peek() == c;
        at += there ? 1 : 0;
        return there;
    }

    private void expect(char c) {
        require(skip(c), "'" + c + "'");
    }

    private void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError("expected %s at %d of %s".formatted(what, at, text));
        }
    }
}
