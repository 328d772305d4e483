package org.gradwire.backend.tensorpipe.frame;

/** The fields of a message's first frame before the body; see {@link MessageHead}. */
public interface MessageFields {
    long id();

    int type();

    int payloadLength();

    int bufferCount();

    int singleCopyCount();

    long transfer();

    long bodyLength();
}
