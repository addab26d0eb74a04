package org.hourstone.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hourstone.Engine;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.error.RequestException;
import org.hourstone.export.ExportFormat;
import org.hourstone.export.RowText;
import org.hourstone.head.WriterJournals;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.StoreIdentity;
import org.hourstone.query.Query;
import org.hourstone.query.RowSelection;
import org.hourstone.rewrite.Keep;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.table.TableListener;

/**
 * The entry point to the tools that work on a database's tables: they check, repair, copy, dump and
 * load data.
 *
 * <pre>{@code
 * FsckReport report = Admin.of(db).fsck(options, listener).run();
 * }</pre>
 *
 * <p>Thread-safe; so is each tool unless it says otherwise.
 */
public final class Admin {
  private final Tsdb db;
  private final Engine engine;

  private Admin(Tsdb db) {
    this.db = db;
    this.engine = db.engine();
  }

  /** The tools for an open database. */
  public static Admin of(Tsdb db) {
    return new Admin(db);
  }

  /** Translates row keys to names. */
  public RowNames rowNames() {
    return new RowNames(engine.keys(), engine.uids());
  }

  /**
   * A text that no other store has but a copy of this one, also if it can only be read; empty if it
   * has none.
   *
   * @throws org.hourstone.kv.StoreException if it can't be read now
   */
  public String storeIdentity() {
    return engine
        .store()
        .extension(StoreIdentity.class)
        .map(StoreIdentity::identity)
        .orElseGet(engine::storeIdentity);
  }

  /** Formats rows as lines for import. */
  public ImportLines importLines() {
    return new ImportLines(
        new RowText(
            ExportFormat.LINES, engine.keys(), engine.seriesNames(), engine.options().nameRules()));
  }

  /** The rows that queries read, for showing or deleting them. */
  public RowScan scan(List<Query> queries) {
    return new RowScan(engine, List.copyOf(queries));
  }

  /**
   * The first and the last hour in which the series of a query have rows; empty if there are none,
   * or if they can't be found cheaply.
   */
  public Optional<StoredHours.Range> storedHours(Query query) {
    return StoredHours.of(engine, query);
  }

  /** The rows that a query reads, for checking only these. */
  public RowSelection select(Query query) {
    return engine.queries().select(query);
  }

  /** Which of several values with the same timestamp queries return, according to the settings. */
  public Keep keptDuplicate() {
    return engine.keptDuplicate();
  }

  /** A run that checks the data table, and repairs it if permitted. */
  public Fsck fsck(FsckOptions how, FsckListener listener) {
    Fsck fsck =
        new Fsck(
            engine.sealedStore(),
            engine.tables().points(),
            engine.keys(),
            engine.uids(),
            engine.rowCompactor(),
            how,
            listener);
    return db.ownRollups().map(own -> fsck.with(new RollupFsck(engine, own))).orElse(fsck);
  }

  /**
   * A run that copies cells verbatim to another database, which must have the same settings for UID
   * widths, salt and rollups.
   *
   * @throws RequestException if its settings differ
   */
  public TableCopy copyTo(Tsdb target, CopyScope scope, CopyOptions how, CopyListener listener) {
    Engine to = target.engine();
    if (!engine.keys().schema().equals(to.keys().schema())
        || !rollupTables(engine).equals(rollupTables(to))) {
      throw new RequestException("the databases have different UID widths, salts or rollup tables");
    }
    return new TableCopy(
        new CopyTables(
            engine.sealedStore(),
            to.sealedStore(),
            CopiedCells.families(
                engine.tables(), to.tables(), engine.options().rollupConfig(), to.computedTables()),
            engine.keys(),
            engine.uids(),
            to::admit),
        scope,
        how,
        listener,
        Backoff.exponential(),
        engine.options().clock());
  }

  /** As they are set: a store that is only read may lack some. */
  private static List<String> rollupTables(Engine of) {
    RollupConfig stored = of.options().storedRollups();
    return stored == null ? List.of() : stored.tables();
  }

  /**
   * Whether a copy leaves out rollups that the database has computed, now or formerly: which of
   * them are those of its points only its own store knows.
   */
  public boolean leavesRollups() {
    return !engine.computedTables().isEmpty()
        || (engine.options().rollupConfig() == null
            && engine.store().families().contains(engine.options().rollupStateFamily()));
  }

  /**
   * The rows of the series and hours of queries, for copying; rollup rows of the same time are
   * included.
   *
   * @throws org.hourstone.uid.NoSuchNameException if a name in a query is unknown
   */
  public CopyScope copyScope(List<Query> queries) {
    List<CopyScope.Selected> selected = new ArrayList<>();
    for (Query query : queries) {
      selected.addAll(CopiedCells.selected(engine.keys(), select(query), query.endMillis()));
    }
    return new CopyScope.Series(selected);
  }

  /**
   * A run that checks the UID table.
   *
   * @param fix whether faults are repaired
   * @param deleteUnknown whether unknown columns are deleted
   */
  public UidFsck uidFsck(boolean fix, boolean deleteUnknown, UidFsckListener listener) {
    return new UidFsck(
        engine.sealedStore(),
        engine.tables().uidIds(),
        engine.tables().uidNames(),
        engine.tables().pointsAndRollups(engine.rollupTables()),
        engine.keys().schema(),
        new UidFsckOptions(fix, deleteUnknown, engine.options().get(Settings.RANDOM_METRICS)),
        listener);
  }

  /** A run that deletes names that nothing uses. */
  public UidReclaim uidReclaim(UidReclaim.Options how, UidReclaim.Listener listener) {
    return new UidReclaim(engine, how, listener);
  }

  /**
   * The journals of the writers of a shared store.
   *
   * @throws RequestException if the settings permit none
   */
  public WriterJournals writerJournals() {
    return engine.writerJournals();
  }

  /** A run that adds the metadata of all series of the data table. */
  public MetaSync metaSync(TableListener listener) {
    return new MetaSync(
        engine.sealedStore(),
        engine.tables().points(),
        engine.keys(),
        engine.uids(),
        engine.metadata(),
        listener);
  }

  /** A run that deletes all metadata. */
  public MetaPurge metaPurge(TableListener listener) {
    return new MetaPurge(
        engine.store(), engine.tables().uidNames(), engine.tables().seriesMeta(), listener);
  }
}
