/** A program that is not a worker of a group: for the launcher's own guarantees. */
module hosts.programs {}
