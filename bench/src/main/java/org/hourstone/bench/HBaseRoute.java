package org.hourstone.bench;

import java.io.IOException;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;

/** One way for points to get into a data table of its own in HBase; all share the UIDs. */
interface HBaseRoute extends AutoCloseable {
  /** Writes all points; returns when HBase has acknowledged them. */
  void write(TelnetLines lines) throws IOException;

  /** CPU seconds used so far by the process that writes. */
  default double clientCpu() {
    return ProcessCpu.seconds(ProcessHandle.current());
  }

  /** A database that sees the points. */
  default Tsdb reading(KeyValueStore store, String table) {
    return Tsdb.over(store, Form.SINGLE.options().with(Settings.DATA_TABLE, table));
  }

  @Override
  default void close() throws IOException {}

  /**
   * Ours.
   *
   * @param options with the clock of the lines
   */
  static HBaseRoute ours(KeyValueStore store, String table, TsdbOptions options) {
    Tsdb db = Tsdb.over(store, options.with(Settings.DATA_TABLE, table));
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
