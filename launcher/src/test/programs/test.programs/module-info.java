/**
 * Programs that the launcher's tests start. Nothing is exported: {@code java -m} needs no export.
 */
module test.programs {}
