module spark.rows {
    requires org.apache.arrow.memory.core;
    requires org.apache.arrow.vector;
}
