/** A program on Gradwire. Other workers reach the functions of packages that are exported. */
module com.example.scale {
    requires transitive org.gradwire.nn;

    exports com.example.scale;
}
