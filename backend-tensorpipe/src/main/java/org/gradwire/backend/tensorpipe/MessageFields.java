package org.gradwire.backend.tensorpipe;

/** What a message's first frame says before the body; see {@link MessageHead}. */
interface MessageFields {
    long id();

    int type();

    int payloadLength();

    int bufferCount();

    int singleCopyCount();

    long transfer();

    long bodyLength();
}
