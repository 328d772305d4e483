/** Programs for the launcher's tests. Nothing is exported: {@code java -m} needs no export. */
module test.programs {}
