module spark.programs {
    requires org.gradwire.api;

    exports spark.programs; // its functions are called remotely
}
