/** A program that is no worker of a group: for the launcher's own guarantees. */
module hosts.programs {}
