package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.write.PointWriter;
import org.hourstone.write.Receipt;
import org.hourstone.write.TextPoints;

/**
 * Our write path, from the bytes of telnet on, as the daemon reads them. Its clock shows the time
 * of the current point, so that a flush interval buffers as many points of a row as it would if
 * they arrived in real time.
 */
final class EngineRoute implements HBaseRoute {
  /** The family of points. */
  static final String FAMILY = "t";

  /** As many as the daemon hands over together. */
  private static final int MOST_TOGETHER = 4096;

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
        .with(Settings.WRITE_PACKS, "false")
        .with(
            MemorySettings.UID_CACHE_SECONDS,
            "0"); // a replay of hours would read names again every second
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
    TextPoints known = writer.telnetPoints();
    List<byte[]> lines = round.lines();
    for (int i = 0; i < lines.size(); i++) {
      if (i % round.series() == 0) {
        known.send(count);
        now.set(round.millis(i));
      }
      byte[] line = lines.get(i);
      if (!known.addTelnetLine(line, 0, line.length, i)) {
        known.send(count);
        writer.putTelnetLine(new String(line, ISO_8859_1), count, i);
      } else if (known.size() >= MOST_TOGETHER) {
        known.send(count);
      }
    }
    known.send(count);
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
    public void stored(long[] tokens, int from, int to) {
      stored.add(to - from);
    }

    @Override
    public void failed(long token, RuntimeException reason) {
      throw reason;
    }
  }
}
