package org.gradwire.runtime.authorization;

/** A pattern of names, in which each {@code *} matches any text, also none. */
record NamePattern(String text) {

    /** {@return whether the whole name matches; takes at most the product of both lengths} */
    boolean matches(String name) {
        int at = 0;
        int position = 0;
        int star = -1;
        int matchedByStar = 0;
        while (position < name.length()) {
            if (at < text.length() && text.charAt(at) == '*') {
                star = at++;
                matchedByStar = position;
            } else if (at < text.length() && text.charAt(at) == name.charAt(position)) {
                at++;
                position++;
            } else if (star >= 0) { // the last star takes one more
                at = star + 1;
                position = ++matchedByStar;
            } else {
                return false;
            }
        }
        return text.chars().skip(at).allMatch(left -> left == '*');
    }

    @Override
    public String toString() {
        return text;
    }
}
