package org.hourstone.bench;

import java.io.IOException;

/** One way for points to get into a data table of its own in HBase. */
interface HBaseRoute extends AutoCloseable {
  /** The table of its points; the routes share the UIDs. */
  String table();

  /** Preparation that is not measured; the lines are those of the next {@link #write}. */
  default void prepare(HBaseRound round) throws IOException {}

  /** Writes all points; returns when HBase has acknowledged them. */
  void write(HBaseRound round) throws IOException;

  /** CPU seconds used so far by the process that writes. */
  default double clientCpu() {
    return ProcessCpu.seconds(ProcessHandle.current());
  }

  @Override
  default void close() throws IOException {}
}
