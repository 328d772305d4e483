/** A program on Gradwire. Other workers can call the functions of exported packages. */
module com.example.scale {
    requires transitive org.gradwire.nn;

    exports com.example.scale;
}
