package org.gradwire.backend.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Settings;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * A connection to a listener that has not proven its identity: performs the dialer's side of the
 * handshake. Confined to the loop.
 */
final class DialedConnection extends Connection {
    private static final long HANDSHAKE_MILLIS = 10_000;

    /** An attempt to connect, which is notified of its end, once. */
    interface Attempt {

        /** {@return the listener} */
        Peer peer();

        /** {@return the purpose of the connection} */
        Purpose purpose();

        /** {@return the number of a renewal; 0 for a lane} */
        int number();

        /** {@return the key of the proofs} */
        SharedSecret secret();

        /**
         * Use the connection: the listener has proven its identity.
         *
         * @return its lane, or null if it carries none
         */
        @Nullable Lane onProven(Channel channel, SharedSecret renewalSecret);

        /** End without a connection; another attempt may succeed. */
        void onFailed(String obstacle);

        /** End without a connection: one end refuses the other. */
        void onRefused(String reason);
    }

    private final Channel channel;
    private final Attempt attempt;
    private final Peer peer;
    private final @Nullable Tls tls;
    private final Handshake.Hello hello;
    private final Future<?> deadline;
    private byte @Nullable [] challenge; // of the listener, once it has arrived
    private boolean isOver;
    private String obstacle = "it closed the connection";

    DialedConnection(
            Channel channel,
            Attempt attempt,
            Identity identity,
            @Nullable Tls tls,
            AgentLoop loop,
            ReadBuffers buffers) {
        super(buffers, Handshake.CHALLENGE_BYTES);
        this.channel = channel;
        this.attempt = attempt;
        this.tls = tls;
        peer = attempt.peer();
        hello =
                new Handshake.Hello(
                        identity.sharedSecret().isSet(),
                        attempt.purpose(),
                        attempt.number(),
                        identity.group(),
                        identity.member(),
                        peer.member(),
                        Handshake.newChallenge());
        deadline = loop.events().schedule(this::onLate, HANDSHAKE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void onLate() {
        obstacle = "it did not complete the handshake in %d ms".formatted(HANDSHAKE_MILLIS);
        var _ = channel.close();
    }

    @Override
    @Nullable Lane onStep(Channel from, ByteBuffer bytes) {
        byte[] known = challenge;
        if (known == null) {
            onChallenge(bytes);
            return null;
        }
        return onWelcome(bytes, known);
    }

    private void onChallenge(ByteBuffer bytes) {
        String refusal = tls == null ? null : tls.refusal(channel, peer.info().name());
        if (refusal != null) {
            refuse(
                    "%s at %s is refused: %s; see %s"
                            .formatted(peer, peer.address(), refusal, Settings.IDENTITY));
            return;
        }
        byte[] sent = Handshake.decodeChallenge(bytes);
        challenge = sent;
        write(channel, hello.encode(attempt.secret(), sent));
        expect(Handshake.WELCOME_BYTES);
    }

    private @Nullable Lane onWelcome(ByteBuffer bytes, byte[] known) {
        Handshake.Outcome outcome = hello.readWelcome(bytes, attempt.secret(), known);
        if (outcome.isProven()) {
            end();
            return attempt.onProven(channel, hello.renewalSecret(attempt.secret(), known));
        }
        refuse(
                "%s is refused: %s; set the same %s on all workers"
                        .formatted(
                                peer,
                                outcome.refusal(),
                                outcome.refusal().contains(Handshake.OTHER_CERTIFICATE)
                                        ? Settings.IDENTITY
                                        : Settings.AUTHENTICATION_TOKEN));
        return null;
    }

    private void end() {
        isOver = true;
        deadline.cancel(false);
    }

    private void refuse(String reason) {
        end();
        var _ = channel.close();
        attempt.onRefused(reason);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (!isOver) {
            end();
            attempt.onFailed(obstacle);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (isOver) {
            var _ = channel.close();
        } else if (Tls.isRefusal(cause)) {
            refuse(
                    "TLS with %s at %s failed: %s; see %s, %s and %s of both workers"
                            .formatted(
                                    peer,
                                    peer.address(),
                                    Tls.reason(cause),
                                    Settings.CERTIFICATE,
                                    Settings.PRIVATE_KEY,
                                    Settings.TRUST));
        } else if (cause instanceof DecodingException) {
            refuse("%s at %s: %s".formatted(peer, peer.address(), cause.getMessage()));
        } else {
            obstacle = Tls.reason(cause);
            var _ = channel.close();
        }
    }
}
