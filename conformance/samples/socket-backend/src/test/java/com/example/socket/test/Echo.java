package com.example.socket.test;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplySink;

/** Replies with the contents of the request. */
final class Echo implements AgentListener {
    @Override
    public void onRequest(int from, Message request, ReplySink replies) {
        replies.reply(new Message(MessageTypes.UDF_RET, request.payload(), request.buffers()));
    }

    @Override
    public void onPeerLost(int peer, RpcException reason) {
        // pending calls fail and report it
    }
}
