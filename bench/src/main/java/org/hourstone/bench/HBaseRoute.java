package org.hourstone.bench;

import java.io.IOException;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.kv.KeyValueStore;

/** One way for points to get into a data table of its own in HBase; all share the UIDs. */
interface HBaseRoute extends AutoCloseable {
  /** Does beforehand what does not count. */
  default void prepare(TelnetLines lines) {}

  /** Writes all points; returns when HBase has acknowledged them. */
  void write(TelnetLines lines) throws IOException;

  /** CPU seconds used so far by the process that writes. */
  default double clientCpu() {
    return Meter.cpu(ProcessHandle.current());
  }

  /** A database that sees the points. */
  default Tsdb reading(KeyValueStore store, String table) {
    return Tsdb.over(store, Form.SINGLE.options().with(Settings.DATA_TABLE, table));
  }

  @Override
  default void close() throws IOException {}

  /** Ours. */
  static HBaseRoute ours(Tsdb db) {
    return new HBaseRoute() {
      @Override
      public void write(TelnetLines lines) {
        lines.write(db);
      }

      @Override
      public Tsdb reading(KeyValueStore ignored, String name) {
        return db.borrowed();
      }

      @Override
      public void close() {
        db.close();
      }
    };
  }
}
