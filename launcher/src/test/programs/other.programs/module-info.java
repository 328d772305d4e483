/** A module of a user. */
module other.programs {}
