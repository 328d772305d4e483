/** A module of a user's own. */
module other.programs {}
