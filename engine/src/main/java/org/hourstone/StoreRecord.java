package org.hourstone;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;

/**
 * What a store that one process owns records of itself, in a table of its own: its identity, and
 * for each data table the settings that the bytes depend on. A database whose settings differ is
 * refused before it writes anything, unless the tables are still empty. See {@code
 * docs/format/tables.md}.
 *
 * <p>A store without a record, such as one of an earlier version, is compared with its names, rows
 * and journals, and then has one. Where other processes use the store, tables may not be created,
 * or the database has only OpenTSDB's tables, as in strict mode, none is created, and each opening
 * compares. For one thread.
 */
final class StoreRecord {
  static final Family FAMILY = TsdbOptions.RECORD_FAMILY;

  private static final byte[] STORE = {0};
  private static final byte DATABASE = 1;
  private static final byte[] IDENTITY = "identity".getBytes(UTF_8);

  private final KeyValueStore store;
  private final TsdbOptions options;
  private final Family journal;
  private final byte[] database;
  private @Nullable String identity;
  private boolean readOnly;

  /** Whether other settings are recorded that nothing depends on yet. */
  private boolean replaces;

  private StoreRecord(KeyValueStore store, TsdbOptions options) {
    this.store = store;
    this.options = options;
    this.journal = options.journalFamily();
    byte[] table = options.tables().data().getBytes(UTF_8);
    this.database = new byte[1 + table.length];
    database[0] = DATABASE;
    System.arraycopy(table, 0, database, 1, table.length);
  }

  /**
   * Compares the settings with the record, if there is one. Writes nothing.
   *
   * @throws IllegalArgumentException if they differ; the message has the settings
   */
  static StoreRecord compare(KeyValueStore store, TsdbOptions options) {
    StoreRecord record = new StoreRecord(store, options);
    if (record.exists()) {
      record.compare(store.get(FAMILY, record.database, Columns.all()));
    }
    return record;
  }

  private boolean exists() {
    return !isShared() && store.families().contains(FAMILY);
  }

  private boolean isShared() {
    return store.traits().contains(Trait.SHARED);
  }

  private void compare(Row recorded) {
    List<String> differences = new ArrayList<>();
    for (Setting<?> setting : settings()) {
      byte[] value = recorded.find(qualifier(setting));
      boolean checked = options.get(Settings.SALT_CHECK) || !isOfSalt(setting);
      if (value != null && checked && !new String(value, UTF_8).equals(text(setting))) {
        differences.add(setting.key() + "=" + new String(value, UTF_8) + ", not " + text(setting));
      }
    }
    replaces = !differences.isEmpty() && isUnused(recorded);
    if (!differences.isEmpty() && !replaces) {
      throw new IllegalArgumentException(
          "the store was created with other settings for table "
              + options.tables().data()
              + ": "
              + String.join("; ", differences)
              + "; open it with these settings");
    }
  }

  /** Whether there is nothing yet that the recorded settings describe. */
  private boolean isUnused(Row recorded) {
    byte[] table = recorded.find(qualifier(Settings.JOURNAL_TABLE));
    Family recordedJournal =
        table == null ? journal : new Family(new String(table, UTF_8), journal.name());
    Tables tables = options.tables();
    List<Family> families = store.families();
    return Stream.of(tables.points(), tables.uidIds(), tables.uidNames())
            .noneMatch(family -> families.contains(family) && hasRows(family, new byte[0]))
        && !(families.contains(recordedJournal) && hasRecords(recordedJournal));
  }

  /** The settings that the bytes of the present tables depend on. */
  private List<Setting<?>> settings() {
    List<Setting<?>> settings = new ArrayList<>();
    settings.add(Settings.UID_WIDTH_METRIC);
    settings.add(Settings.UID_WIDTH_TAGK);
    settings.add(Settings.UID_WIDTH_TAGV);
    settings.add(Settings.JOURNAL_TABLE);
    settings.add(Settings.SALT_WIDTH);
    if (options.get(Settings.SALT_WIDTH) > 0) {
      settings.add(Settings.SALT_BUCKETS);
    }
    return settings;
  }

  private static boolean isOfSalt(Setting<?> setting) {
    return setting == Settings.SALT_WIDTH || setting == Settings.SALT_BUCKETS;
  }

  private static byte[] qualifier(Setting<?> setting) {
    return setting.key().getBytes(UTF_8);
  }

  private String text(Setting<?> setting) {
    return String.valueOf(options.get(setting));
  }

  /**
   * Compares the settings with the tables, which exist, if they are not recorded yet, and records
   * an identity.
   *
   * @throws IllegalArgumentException if the tables contradict the settings
   */
  void identify() {
    boolean recorded = exists() && !store.get(FAMILY, database, Columns.all()).isEmpty();
    if (!recorded) {
      UidWidthCheck.check(store, options.tables().uidNames(), options.schema());
      checkJournals();
    }
    if (!isShared() && (exists() || (hasOwnTables() && create()))) {
      try {
        recordIdentity();
      } catch (StoreException e) {
        if (e.outcome() != Outcome.REJECTED) {
          throw e;
        }
        readOnly = true;
      }
    }
  }

  /** A database of OpenTSDB's tables only, as in strict mode, makes no other one. */
  private boolean hasOwnTables() {
    return options.get(Settings.HEAD).orElse(true)
        || options.get(Settings.INDEX_ENABLE).orElse(true);
  }

  private boolean create() {
    try {
      store.ensure(List.of(new FamilySpec(FAMILY, true)), TableSetup.schemaMode(store, options));
      return true;
    } catch (StoreException e) {
      if (e.outcome() != Outcome.REJECTED) {
        throw e;
      }
      return false;
    }
  }

  private void recordIdentity() {
    byte[] present = store.get(FAMILY, STORE, Columns.exactly(IDENTITY)).find(IDENTITY);
    byte[] wanted = present == null ? UUID.randomUUID().toString().getBytes(UTF_8) : present;
    // Also if it has one: that shows whether the store can be written to.
    if (store.compareAndSet(FAMILY, STORE, IDENTITY, present, wanted)) {
      identity = new String(wanted, UTF_8);
    } else {
      recordIdentity(); // another database of this process was faster
    }
  }

  /**
   * Records the settings, after the journal was read with them.
   *
   * @throws IllegalArgumentException if another database of this process has recorded others
   */
  void recordSettings() {
    if (identity == null) {
      return;
    }
    Row recorded = store.get(FAMILY, database, Columns.all());
    for (Setting<?> setting : settings()) {
      byte[] value = text(setting).getBytes(UTF_8);
      byte[] present = recorded.find(qualifier(setting));
      if (present != null
          && !Arrays.equals(present, value)
          && (replaces || (isOfSalt(setting) && !options.get(Settings.SALT_CHECK)))) {
        store.put(FAMILY, database, qualifier(setting), value);
      } else if (present == null
          && !store.compareAndSet(FAMILY, database, qualifier(setting), null, value)) {
        compare(store.get(FAMILY, database, Columns.all()));
      }
    }
  }

  /** A journal that no database of the store is known to have may be this one's. */
  private void checkJournals() {
    if (isShared() || store.families().contains(journal)) {
      return;
    }
    for (Family family : store.families()) {
      if (family.name().equals(journal.name()) && !isRecorded(family) && hasRecords(family)) {
        throw new IllegalArgumentException(
            "table %s has a journal with points that are not in their rows, and %s=%s does not exist: set it to %s"
                .formatted(
                    family.table(), Settings.JOURNAL_TABLE.key(), journal.table(), family.table()));
      }
    }
  }

  private boolean isRecorded(Family journalOfOthers) {
    if (!exists()) {
      return false;
    }
    byte[] qualifier = qualifier(Settings.JOURNAL_TABLE);
    try (RowCursor rows = store.scan(FAMILY, Scan.prefix(new byte[] {DATABASE}))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        byte[] table = row.find(qualifier);
        if (table != null && new String(table, UTF_8).equals(journalOfOthers.table())) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean hasRecords(Family family) {
    return hasRows(family, new byte[Long.BYTES]);
  }

  private boolean hasRows(Family family, byte[] from) {
    try (RowCursor rows = store.scan(family, Scan.range(from, null).limit(1).rowsPerFetch(1))) {
      return rows.next() != null;
    }
  }

  /** A UUID, which a copy of the store has, too; null if it is not recorded. */
  @Nullable String identity() {
    return identity;
  }

  /** Whether the store has refused to record. */
  boolean isReadOnly() {
    return readOnly;
  }

  /** Whether another handle shows what is written through this one's. */
  boolean isShownBy(KeyValueReader other) {
    byte[] mark = ("mark-" + UUID.randomUUID()).getBytes(UTF_8);
    store.put(FAMILY, STORE, mark, new byte[] {1});
    try {
      return other.get(FAMILY, STORE, Columns.exactly(mark)).find(mark) != null;
    } catch (StoreException e) {
      if (e.outcome() == Outcome.REJECTED) {
        return false;
      }
      throw e;
    } catch (IllegalStateException e) {
      return false; // it is closed, and changes nothing any more
    } finally {
      store.mutate(FAMILY, List.of(new RowMutation(STORE, new Change.Delete(mark))));
    }
  }
}
