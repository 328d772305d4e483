package com.example.socket;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counters of an agent's activity. */
final class Counters {
    private final LongAdder framesSent = new LongAdder();
    private final LongAdder bytesSent = new LongAdder();
    private final LongAdder framesReceived = new LongAdder();
    private final LongAdder bytesReceived = new LongAdder();
    private final LongAdder visitorsRefused = new LongAdder();

    void onSent(Frame frame) {
        framesSent.increment();
        bytesSent.add(frame.byteSize());
    }

    void onReceived(Frame frame) {
        framesReceived.increment();
        bytesReceived.add(frame.byteSize());
    }

    void onVisitorRefused() {
        visitorsRefused.increment();
    }

    void addTo(Map<String, String> figures) {
        figures.put("socket.frames_sent", framesSent.toString());
        figures.put("socket.bytes_sent", bytesSent.toString());
        figures.put("socket.frames_received", framesReceived.toString());
        figures.put("socket.bytes_received", bytesReceived.toString());
        figures.put("socket.visitors_refused", visitorsRefused.toString());
    }
}
