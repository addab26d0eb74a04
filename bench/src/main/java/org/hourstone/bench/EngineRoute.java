package org.hourstone.bench;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.write.PointWriter;
import org.hourstone.write.Receipt;

/**
 * Our write path, from lines of telnet on. Its clock shows the time of the current point, so that a
 * flush interval buffers as many points of a row as it would if they arrived in real time.
 */
final class EngineRoute implements HBaseRoute {
  /** The family of points. */
  static final String FAMILY = "t";

  private final String table;
  private final AtomicLong now = new AtomicLong(DevopsWorkload.START * 1000);
  private final Tsdb db;

  EngineRoute(KeyValueStore store, String table, TsdbOptions form) {
    InstantSource clock = () -> Instant.ofEpochMilli(now.get());
    this.table = table;
    this.db = Tsdb.over(store, form.with(Settings.DATA_TABLE, table).withClock(clock));
  }

  /** A cell for each point. */
  static TsdbOptions singles() {
    return TsdbOptions.defaults()
        .with(Settings.CREATE_TABLES, "true")
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(Settings.WRITE_PACKS, "false");
  }

  /** A cell for the points of a row that arrive within some seconds. */
  static TsdbOptions packs(int seconds) {
    return singles().with(Settings.WRITE_PACKS, "true").with(Settings.FLUSH_INTERVAL, "" + seconds);
  }

  /** An append for the points of a row that arrive within some seconds. */
  static TsdbOptions appends(int seconds) {
    return packs(seconds).with(Settings.ENABLE_APPENDS, "true");
  }

  @Override
  public String table() {
    return table;
  }

  @Override
  public void write(HBaseRound round) {
    Count count = new Count();
    PointWriter writer = db.writer();
    List<String> lines = round.lines();
    for (int i = 0; i < lines.size(); i++) {
      if (i % round.series() == 0) {
        now.set(round.millis(i));
      }
      writer.putTelnetLine(lines.get(i), count, i);
    }
    writer.flush();
    if (count.stored.sum() != lines.size()) {
      throw new IllegalStateException(count.stored.sum() + " of " + lines.size() + " points");
    }
  }

  @Override
  public void close() {
    db.close();
  }

  private static final class Count implements Receipt {
    final LongAdder stored = new LongAdder();

    @Override
    public void stored(long token) {
      stored.increment();
    }

    @Override
    public void failed(long token, RuntimeException reason) {
      throw reason;
    }
  }
}
