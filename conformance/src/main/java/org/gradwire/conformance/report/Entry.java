package org.gradwire.conformance.report;

/**
 * One line of the report.
 *
 * @param backend name of the backend
 * @param id of the rule, case, property or broken backend
 * @param kind {@code rule}, {@code case}, {@code property} or {@code broken}
 * @param result {@code passed}, {@code failed} or {@code skipped}
 * @param reason why it failed or was skipped; empty when it passed
 * @param seed of a random test; empty for others
 * @param millis how long it took
 */
record Entry(
        String backend,
        String id,
        String kind,
        String result,
        String reason,
        String seed,
        long millis) {

    String toJson() {
        return "{\"backend\":%s,\"id\":%s,\"kind\":%s,\"result\":%s,\"reason\":%s,\"seed\":%s,\"millis\":%d}"
                .formatted(
                        quote(backend),
                        quote(id),
                        quote(kind),
                        quote(result),
                        quote(reason),
                        quote(seed),
                        millis);
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
}
