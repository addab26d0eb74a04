package org.hourstone.tool;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.Engine;
import org.hourstone.Tables;
import org.hourstone.codec.Schema;
import org.hourstone.error.RequestException;
import org.hourstone.index.SeriesIndex;
import org.hourstone.index.UidRemoval;
import org.hourstone.internal.LongScan;
import org.hourstone.internal.UidSet;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.Scan;
import org.hourstone.kv.Trait;
import org.hourstone.table.TableListener;
import org.hourstone.table.TableRange;
import org.hourstone.table.TableRanges;
import org.hourstone.table.TableRun;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.uid.UidKind;

/**
 * Deletes names that nothing uses, with their UIDs, which are not assigned again by a counter.
 *
 * <p>A UID is used if any row of points, annotations, histograms or rolled-up values, any entry of
 * the series index, any metadata of a series or any leaf of a tree has it: all of these tables are
 * read, after writes that began before were completed. What this database writes while it runs is
 * seen by {@link UidRemoval}; if other processes may write, or this one without an index, they must
 * have been stopped. Names younger than a limit are kept. An interrupted run may be repeated. For
 * one thread, once.
 */
public final class UidReclaim {
  private final Engine engine;
  private final KeyValueStore store;
  private final Schema schema;
  private final Options options;
  private final Listener listener;
  private final Map<UidKind, UidSet> used = new EnumMap<>(UidKind.class);
  private final Map<UidKind, Long> counts = new EnumMap<>(UidKind.class);
  private long names;

  /**
   * How a run works.
   *
   * @param before names that were assigned or renamed later are kept
   * @param dryRun whether names are only reported
   * @param noWriters whether it is known that nothing else writes
   */
  public record Options(Instant before, boolean dryRun, boolean noWriters) {}

  /** Receives the progress. */
  public interface Listener extends TableListener {
    /** A name is unused, and was deleted unless it is a dry run. */
    void unused(UidKind kind, String name, byte[] uid);
  }

  /**
   * The result of a run.
   *
   * @param names the number of names read
   * @param unused the number of those that are unused, by kind
   */
  public record Report(long names, Map<UidKind, Long> unused) {
    public Report {
      unused = Map.copyOf(unused);
    }

    /** The number of unused names of all kinds. */
    public long sum() {
      return unused.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  UidReclaim(Engine engine, Options options, Listener listener) {
    this.engine = engine;
    this.store = engine.store();
    this.schema = engine.keys().schema();
    this.options = options;
    this.listener = listener;
  }

  /**
   * Finds unused names, and deletes them.
   *
   * @param threads the number of threads that read, at least 1
   * @throws RequestException if other writers, or tables that are not read, may use them
   * @throws org.hourstone.kv.StoreException if the store fails; names that were deleted before stay
   *     deleted
   */
  public Report run(int threads) {
    checkWriters();
    checkTables();
    for (UidKind kind : UidKind.values()) {
      used.put(kind, new UidSet());
      counts.put(kind, 0L);
    }
    UidRemoval removal = engine.index().uidRemoval();
    removal.begin();
    try {
      var unused = engine.sealedStore(); // so that the tables have all points
      readIndex();
      readTables(threads);
      readTrees();
      deleteUnused(removal);
    } finally {
      removal.end();
    }
    return new Report(names, counts);
  }

  private int width(UidKind kind) {
    return engine.uids().width(kind);
  }

  private void checkWriters() {
    SeriesIndex index = engine.index();
    boolean isSafe = index.isOn() && index.removal().isAllowed();
    if (!options.dryRun() && !isSafe && !options.noWriters()) {
      throw new RequestException(
          "names that seem unused may be in use by other processes, or by this one without the"
              + " series index: stop all that write, and confirm it with --no-writers");
    }
  }

  /** Another table may have rows of points of which the settings say nothing. */
  private void checkTables() {
    Set<Family> known = new HashSet<>(families());
    String points = engine.tables().points().name();
    if (store.traits().contains(Trait.SHARED)) {
      return; // it may have the tables of others
    }
    for (Family family : store.families()) {
      if (family.name().equals(points)
          && !known.contains(family)
          && !family.equals(engine.tables().trees())) {
        throw new RequestException(
            "the table "
                + family.table()
                + " may have rows with UIDs, but is not in the settings (tsd.rollups.config)");
      }
    }
  }

  private List<Family> families() {
    return engine.tables().pointsAndRollups(engine.rollupTables());
  }

  private boolean exists(Family family) {
    return store.families().contains(family);
  }

  private void readIndex() {
    if (engine.index().isOn()) {
      engine.index().forEachEntry(this::use);
    }
  }

  private void readTables(int threads) {
    long metrics = engine.uids().usage(UidKind.METRIC).assigned();
    List<Scan> scans = TableRanges.ofRows(engine.keys(), metrics, TableRun.RANGES);
    List<TableRange> ranges = new ArrayList<>();
    for (Family family : families()) {
      if (exists(family)) {
        ranges.addAll(TableRange.of(family, scans));
      }
    }
    Tables tables = engine.tables();
    if (exists(tables.seriesMeta())) {
      ranges.add(new TableRange(tables.seriesMeta(), Scan.all(), 0, TableRange.ALL));
    }
    TableRun run = new TableRun(store, ranges, threads, listener);
    run.run(
        range -> {
          boolean isMeta = range.family().equals(tables.seriesMeta());
          run.read(range, range.rest(), row -> use(row.key(), isMeta));
        });
    if (Thread.currentThread().isInterrupted() || run.isStopped()) {
      throw new RequestException("interrupted while it read");
    }
  }

  private void use(byte[] row, boolean isTsuid) {
    if (isTsuid) {
      use(row);
    } else if (row.length >= schema.tagsOffset()) {
      use(engine.keys().tsuid(row));
    }
  }

  /** Also if it is followed by a part of a tag. */
  private synchronized void use(byte[] tsuid) {
    int at = schema.metricWidth();
    if (tsuid.length < at) {
      return;
    }
    of(UidKind.METRIC).add(tsuid, 0, at);
    for (; at + schema.tagPairWidth() <= tsuid.length; at += schema.tagPairWidth()) {
      of(UidKind.TAGK).add(tsuid, at, schema.tagkWidth());
      of(UidKind.TAGV).add(tsuid, at + schema.tagkWidth(), schema.tagvWidth());
    }
  }

  private UidSet of(UidKind kind) {
    UidSet set = used.get(kind);
    if (set == null) {
      throw new AssertionError(kind);
    }
    return set;
  }

  private void readTrees() {
    if (exists(engine.tables().trees())) {
      engine.trees().forEachTsuid(this::use);
    }
  }

  private void deleteUnused(UidRemoval removal) {
    for (UidKind kind : UidKind.values()) {
      Columns column = Columns.exactly(UidLayout.qualifier(kind));
      Family forward = engine.tables().uidIds();
      try (LongScan rows = new LongScan(store, forward, Scan.all().columns(column))) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          if (!row.isEmpty() && UidLayout.isName(row.key())) {
            names++;
            deleteIfUnused(removal, kind, row);
          }
        }
      }
    }
  }

  private void deleteIfUnused(UidRemoval removal, UidKind kind, Row entry) {
    byte[] uid = entry.value(0);
    if (uid.length != width(kind)
        || of(kind).contains(uid)
        || entry.writeTime(0) >= options.before().toEpochMilli()) {
      return;
    }
    String name = UidLayout.text(entry.key());
    if (!options.dryRun()) {
      if (!removal.retire(kind, uid)) {
        return;
      }
      delete(kind, name);
    }
    counts.merge(kind, 1L, Long::sum);
    listener.unused(kind, name, uid);
  }

  private void delete(UidKind kind, String name) {
    try {
      engine.uids().delete(kind, name);
    } catch (NoSuchNameException e) {
      // Another thread has deleted it.
    }
  }
}
