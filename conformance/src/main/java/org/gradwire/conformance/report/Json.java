package org.gradwire.conformance.report;

/** Builds a JSON object field by field. */
final class Json {
    private final StringBuilder text = new StringBuilder("{");

    Json with(String key, String value) {
        return raw(key, quote(value));
    }

    Json with(String key, long value) {
        return raw(key, Long.toString(value));
    }

    private Json raw(String key, String value) {
        if (text.length() > 1) {
            text.append(',');
        }
        text.append(quote(key)).append(':').append(value);
        return this;
    }

    private static String quote(String text) {
        var json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> json.append('\\').append(c);
                case '\n' -> json.append("\\n");
                case '\r' -> json.append("\\r");
                case '\t' -> json.append("\\t");
                default -> {
                    if (c < ' ') {
                        json.append("\\u%04x".formatted((int) c));
                    } else {
                        json.append(c);
                    }
                }
            }
        }
        return json.append('"').toString();
    }

    @Override
    public String toString() {
        return text + "}";
    }
}
