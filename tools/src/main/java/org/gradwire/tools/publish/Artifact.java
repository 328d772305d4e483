package org.gradwire.tools.publish;

import java.nio.file.Path;

/**
 * The coordinates that a folder of a Maven repository stands for.
 *
 * @param folder {@code group/as/folders/artifact/version}, below the bundle's folder
 */
record Artifact(Path folder) {
    private static final int LEAST_NAMES = 3;

    /** {@return whether the folder is deep enough to name a group, an artifact and a version} */
    boolean isNamed() {
        return folder.getNameCount() >= LEAST_NAMES;
    }

    String group() {
        return folder.getParent().getParent().toString().replace('/', '.').replace('\\', '.');
    }

    String artifact() {
        return String.valueOf(folder.getParent().getFileName());
    }

    String version() {
        return String.valueOf(folder.getFileName());
    }

    /** {@return the file with this end of its name, such as {@code -sources.jar}} */
    Path file(String end) {
        return folder.resolve(artifact() + "-" + version() + end);
    }

    /** {@return whether a file's name is one that this artifact may have} */
    boolean owns(Path file) {
        String name = String.valueOf(file.getFileName());
        String prefix = artifact() + "-" + version();
        return name.startsWith(prefix + ".") || name.startsWith(prefix + "-");
    }
}
