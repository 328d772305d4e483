package org.gradwire.checkpoint.s3;

import org.gradwire.checkpoint.StoredFile;

import java.lang.foreign.MemorySegment;

/** A small object that was read as a whole. */
record ManifestFile(String name, MemorySegment contents) implements StoredFile {

    @Override
    public void load(long offset, long length) {}

    @Override
    public String toString() {
        return name;
    }
}
