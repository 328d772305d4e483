package org.gradwire.runtime.wire;

/** The type tags of values on the wire; {@code docs/PROTOCOL.md} lists them. */
final class Tags {
    static final int NULL = 0;
    static final int TRUE = 1;
    static final int FALSE = 2;
    static final int BYTE = 3;
    static final int SHORT = 4;
    static final int INT = 5;
    static final int LONG = 6;
    static final int FLOAT = 7;
    static final int DOUBLE = 8;
    static final int CHAR = 9;
    static final int STRING = 10;
    static final int LIST = 11;
    static final int MAP = 12;
    static final int SET = 13;
    static final int OPTIONAL = 14;
    static final int RECORD = 15;
    static final int ENUM = 16;
    static final int PRIMITIVE_ARRAY = 17;
    static final int OBJECT_ARRAY = 18;
    static final int WORKER_INFO = 19;
    static final int CODEC = 20;
    static final int UTF16_STRING = 21;

    private Tags() {}
}
