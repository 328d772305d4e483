package org.gradwire.conformance.mutants;

import org.gradwire.spi.AgentListener;
import org.gradwire.spi.RpcAgent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** An agent with its own port that serves each connection with a thread until it is closed. */
final class OpenToStrangers extends MutantAgent {
    private final ServerSocket door;
    private final List<Socket> strangers = new CopyOnWriteArrayList<>();

    OpenToStrangers(RpcAgent sound) {
        super(sound);
        try {
            door = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void start(AgentListener listener) {
        super.start(listener);
        Thread.ofPlatform().daemon().name("mutant accept").start(this::accept);
    }

    private void accept() {
        try {
            while (true) {
                strangers.add(door.accept());
                Thread.ofPlatform().daemon().name("mutant stranger").start(this::stay);
            }
        } catch (IOException _) {
            // the agent was closed
        }
    }

    private synchronized void stay() {
        try {
            while (!door.isClosed()) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Map<String, String> debugInfo() {
        Map<String, String> info = new HashMap<>(super.debugInfo());
        info.put(Mutant.PORT_KEY, Integer.toString(door.getLocalPort()));
        return info;
    }

    @Override
    public void close() {
        super.close();
        try {
            door.close();
            for (Socket stranger : strangers) {
                stranger.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        synchronized (this) {
            notifyAll();
        }
    }
}
