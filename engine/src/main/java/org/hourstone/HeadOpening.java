package org.hourstone;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.hourstone.codec.RowKey;
import org.hourstone.head.Acknowledgement;
import org.hourstone.head.Announcements;
import org.hourstone.head.CellForm;
import org.hourstone.head.Head;
import org.hourstone.head.WriterOptions;
import org.hourstone.head.WrittenRows;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a database acknowledges points, and opens its journal, if there is one. Whatever is
 * decided, no point of a journal is left out: a database that uses none writes them to the data
 * table first, and one that can't write only shows them.
 */
final class HeadOpening {
  private static final System.Logger LOG = System.getLogger("org.hourstone.head");

  private final KeyValueStore store;
  private final TsdbOptions options;
  private final EngineOptions parts;
  private final Family journal;
  private final Head head;
  private boolean shows;

  /** Null unless the journal is that of a writer to a shared store. */
  private final @Nullable WriterOptions writer;

  HeadOpening(
      KeyValueStore store,
      TsdbOptions options,
      EngineOptions parts,
      RowKey keys,
      Announcements announcements,
      Backoff backoff) {
    this.store = store;
    this.options = options;
    this.parts = parts;
    this.journal = options.journalFamily();
    this.writer = parts.writer().orElse(null);
    this.head =
        writer == null
            ? new Head(
                store,
                options.tables().points(),
                journal,
                keys,
                parts.head(),
                options.clock(),
                backoff,
                announcements)
            : Head.ofWriter(
                writer,
                UUID.randomUUID().getMostSignificantBits(),
                store,
                options.tables().points(),
                journal,
                keys,
                parts.head(),
                options.clock(),
                backoff,
                announcements);
  }

  /** The head, empty until it is opened; to be closed with the database, whatever was decided. */
  Head head() {
    return head;
  }

  /** The store with the points that the head has, now or later. */
  KeyValueStore reader() {
    boolean mayHaveRows = !isShared() || writer != null || withoutJournal() != Acknowledgement.NONE;
    return mayHaveRows ? head.over(store) : store;
  }

  private Acknowledgement withoutJournal() {
    return parts.head().withoutJournal();
  }

  /** Whether the store is read-only, and has a journal, which is shown. */
  boolean showsJournal() {
    return shows;
  }

  /**
   * Opens the journal, if there is one to be used or read; once.
   *
   * @param ownership of the store; null if other processes use it, or it is read-only
   * @param written is notified of rows that are sealed
   * @return when points are acknowledged
   * @throws IllegalArgumentException if a journal is demanded that the store or a setting does not
   *     permit
   * @throws org.hourstone.codec.CorruptDataException if the journal can't be read
   */
  Acknowledgement open(@Nullable StoreOwnership ownership, WrittenRows written) {
    boolean wanted = isWanted();
    head.notifySealed(written);
    if (writer != null) {
      return openOfWriter();
    }
    if (exists()) {
      warnOfWriters();
    }
    boolean mayWrite = ownership != null && ownership.isOwner();
    boolean mayShow = ownership == null && !isShared();
    if (!(mayWrite || mayShow) || !(exists() || (mayWrite && wanted && create()))) {
      return withoutJournal();
    }
    boolean decided = false;
    try {
      Acknowledgement result = mayWrite ? open(wanted, written) : showJournal();
      decided = true;
      return result;
    } finally {
      if (!decided) {
        head.close();
      }
    }
  }

  /**
   * Their points are not lost, but not seen here, either. A store that one process owns may have
   * loaded them.
   */
  private void warnOfWriters() {
    List<String> open;
    try {
      open = head.writers().open();
    } catch (StoreException e) { // it would only have been a warning
      LOG.log(
          Level.WARNING,
          "it can''t be read whether journals of writers are open, so that points of the last"
              + " seconds may not be seen: {0}",
          e.getMessage());
      return;
    }
    if (!open.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "points of the last seconds may not be seen: journals of these writers are open: {0}; one"
              + " that does not run any more must be started again, or taken over by another with"
              + " {1} or by the command writers",
          String.join(", ", open),
          Settings.HEAD_WRITER.key());
    }
  }

  /** As {@link Tsdb#withJournal}. */
  static KeyValueReader withJournal(KeyValueStore store, TsdbOptions options) {
    return new HeadOpening(
            store,
            options,
            new EngineOptions(options, store.traits()),
            new RowKey(options.schema()),
            EngineRollups.announcements(
                options.seriesIndex(store, SchemaMode.VERIFY),
                EngineRollups.marking(store, store, options)),
            Backoff.exponential())
        .show();
  }

  private KeyValueReader show() {
    StoreRecord.compare(store, options);
    if (isShared() || !exists()) {
      return store;
    }
    head.replay();
    return head.over(store);
  }

  /** What the writer has left is sealed before it begins again. */
  private Acknowledgement openOfWriter() {
    if (parts.head().buffering().interval().isZero()) {
      throw new IllegalArgumentException(
          Settings.HEAD_WRITER.key()
              + " needs a time after which rows are written: "
              + Settings.FLUSH_INTERVAL.key()
              + "=0");
    }
    if (parts.head().cells().form() != CellForm.PACKED) {
      throw unsuitable(Settings.HEAD_WRITER.key());
    }
    store.ensure(List.of(new FamilySpec(journal, true)), TableSetup.schemaMode(store, options));
    LOG.log(
        Level.WARNING,
        "{0} is experimental: the compaction of an OpenTSDB must be off, and clocks must agree, see"
            + " ADR 19",
        Settings.HEAD_WRITER.key());
    boolean decided = false;
    try {
      head.begin();
      head.replay();
      decided = true;
    } finally {
      if (!decided) {
        head.close();
      }
    }
    return Acknowledgement.JOURNAL;
  }

  private static IllegalArgumentException unsuitable(String setting) {
    return new IllegalArgumentException(
        setting
            + ": points are not written as multi-point cells of which the newest are read"
            + " (append cells need a store whose write times never repeat), see "
            + Settings.WRITE_PACKS.key()
            + ", "
            + Settings.COMPACT_APPENDS.key()
            + " and "
            + QuerySettings.FIX_DUPLICATES.key());
  }

  private Acknowledgement open(boolean wanted, WrittenRows written) {
    try {
      head.begin();
    } catch (StoreException e) {
      if (e.outcome() != Outcome.REJECTED) {
        throw e;
      }
      return showJournal();
    }
    head.replay();
    head.announceReplayed();
    if (!wanted) {
      head.shards(Acknowledgement.JOURNAL, 1, true, written).get(0).sealAll();
      return withoutJournal();
    }
    return Acknowledgement.JOURNAL;
  }

  private Acknowledgement showJournal() {
    head.replay();
    shows = true;
    return Acknowledgement.NONE;
  }

  private boolean isShared() {
    return store.traits().contains(Trait.SHARED);
  }

  private boolean isWanted() {
    Optional<Boolean> set = options.get(Settings.HEAD);
    if (!set.orElse(false)) {
      return set.isEmpty()
          && !isShared()
          && parts.head().cells().suitsJournal()
          && options.get(Settings.FLUSH_INTERVAL).isEmpty();
    }
    if (isShared() && writer == null) {
      throw new IllegalArgumentException(
          Settings.HEAD.key()
              + "=true: other processes use the store, and "
              + Settings.HEAD_WRITER.key()
              + " is not set");
    }
    if (!parts.head().cells().suitsJournal()) {
      throw unsuitable(Settings.HEAD.key() + "=true");
    }
    return true;
  }

  private boolean exists() {
    return store.families().contains(journal);
  }

  /** Whether the table could be created; a store that is opened to read only has none. */
  private boolean create() {
    boolean may =
        options.get(Settings.CREATE_TABLES).orElse(!store.traits().contains(Trait.MANAGED_TABLES));
    try {
      store.ensure(
          List.of(new FamilySpec(journal, true)), may ? SchemaMode.CREATE : SchemaMode.VERIFY);
      return true;
    } catch (StoreException e) {
      if (e.outcome() != Outcome.REJECTED || options.get(Settings.HEAD).orElse(false)) {
        throw e;
      }
      return false;
    }
  }
}
