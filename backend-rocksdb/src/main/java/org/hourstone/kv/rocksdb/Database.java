package org.hourstone.kv.rocksdb;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilyCodec;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreMetrics;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status.Code;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * An open RocksDB database and the only owner of its native handles, which it opens and frees in
 * order. It has no checks of its own: {@link Scope} prevents calls after it is closed.
 */
final class Database {
  /** The usual maximum number of batches written at the same time. */
  private static final int BUFFERS = 4;

  /** Larger arrays are not kept. */
  private static final int MOST_BUFFERED = 1 << 20;

  private final RocksDB db;
  private final Path directory;
  private final AcknowledgedChanges acknowledged;
  private final RocksDbTuning tuning;
  private final RocksDbErrors errors;
  private final ColumnFamilyHandle defaultFamily;
  private final StoreRecords records;
  private volatile Map<Family, OpenFamily> families;

  /** The failure after which RocksDB may refuse every write. */
  private volatile @Nullable StoreException failure;

  /** Whether the record of this opening is written. */
  private volatile boolean begun;

  /** The arrays of written batches, for reuse. */
  private final BlockingQueue<byte[]> buffers = new ArrayBlockingQueue<>(BUFFERS);

  /**
   * @param handles of the default family, then of the others
   * @param check verifies the database before it is used; null if it is verified already
   */
  Database(
      RocksDB db,
      Path directory,
      RocksDbOptions options,
      RocksDbTuning tuning,
      RocksDbErrors errors,
      List<OpenFamily.Name> families,
      List<ColumnFamilyHandle> handles,
      long now,
      @Nullable LogCheck check) {
    this.db = db;
    this.directory = directory;
    this.acknowledged = new AcknowledgedChanges(directory, options.sync(), errors);
    this.tuning = tuning;
    this.errors = errors;
    this.defaultFamily = handles.get(0);
    Map<Family, OpenFamily> byFamily = new TreeMap<>();
    for (int i = 0; i < families.size(); i++) {
      OpenFamily.Name name = families.get(i);
      byFamily.put(name.family(), new OpenFamily(handles.get(i + 1), coding(name)));
    }
    this.families = byFamily;
    try {
      if (check != null) {
        check.verify(db);
      }
      this.records =
          StoreRecords.open(db, !families.isEmpty() || wasWritten(directory), now, errors);
    } catch (RuntimeException e) {
      free();
      throw e;
    }
  }

  private static boolean wasWritten(Path directory) {
    return Files.exists(directory.resolve(AcknowledgedChanges.FILE));
  }

  private @Nullable Coding coding(OpenFamily.Name name) {
    return name.codec() == null ? null : new Coding(name.family(), name.codec(), errors);
  }

  RocksDB rocks() {
    return db;
  }

  RocksDbErrors errors() {
    return errors;
  }

  /** See {@link StampedValue}. */
  long epoch() {
    return records.epoch();
  }

  StoreRecords records() {
    return records;
  }

  /** The existing families, sorted. */
  List<Family> families() {
    return List.copyOf(families.keySet());
  }

  /** A family that exists. */
  OpenFamily family(Family family) {
    OpenFamily open = families.get(family);
    if (open == null) {
      throw errors.rejected("no family " + family + "; there are " + families());
    }
    return open;
  }

  /** The handle of a family that exists. */
  ColumnFamilyHandle handle(Family family) {
    return family(family).handle();
  }

  /** Whether some of these do not exist. */
  boolean lacks(Collection<FamilySpec> wanted) {
    return !wanted.stream().map(FamilySpec::family).allMatch(families::containsKey);
  }

  /**
   * Creates the missing families, and sets the codecs of coded families.
   *
   * @param coded whether cells of new families are coded if there is a codec
   */
  synchronized void create(Collection<FamilySpec> wanted, boolean coded) {
    for (FamilySpec spec : wanted) {
      if (!families.containsKey(spec.family())) {
        FamilyCodec codec = coded ? spec.codec() : null;
        create(new OpenFamily.Name(spec.family(), codec == null ? null : codec.name()));
      }
    }
    supply(wanted);
  }

  private void create(OpenFamily.Name name) {
    if (!name.isValid()) {
      throw errors.rejected("the name of family " + name.family() + " is not valid Unicode");
    }
    try {
      Map<Family, OpenFamily> more = new TreeMap<>(families);
      more.put(
          name.family(),
          new OpenFamily(
              db.createColumnFamily(DatabaseOpening.descriptor(name, tuning)), coding(name)));
      families = more;
    } catch (RocksDBException e) {
      throw failed(errors.write(e), e);
    }
  }

  /** Sets the codecs of the coded families. */
  void supply(Collection<FamilySpec> wanted) {
    for (FamilySpec spec : wanted) {
      OpenFamily open = families.get(spec.family());
      if (open != null && open.coding() != null) {
        open.coding().supply(spec.codec());
      }
    }
  }

  /**
   * A batch to fill for a family.
   *
   * @param capacity the expected number of bytes; the batch may become larger
   */
  BatchBuffer batch(ColumnFamilyHandle family, int capacity) {
    byte[] spare = buffers.poll();
    byte[] bytes = spare == null || spare.length < capacity ? new byte[capacity] : spare;
    return new BatchBuffer(family.getID(), epoch(), bytes, BatchBuffer.MAX_BYTES, errors);
  }

  /** Applies a batch atomically. */
  void write(BatchBuffer changes) {
    if (changes.isEmpty()) {
      return;
    }
    try (WriteBatch batch = new WriteBatch(changes.toBytes())) {
      begin(tuning.writes());
      db.write(tuning.writes(), batch);
      written();
    } catch (RocksDBException e) {
      throw failed(errors.write(e), e);
    }
    byte[] buffer = changes.release();
    if (buffer.length <= MOST_BUFFERED) {
      boolean unused = buffers.offer(buffer);
    }
  }

  /** Stores the mark of the write clock. */
  void mark(long time) {
    try {
      begin(tuning.writes());
      records.clock(time, tuning.writes());
      written();
    } catch (RocksDBException e) {
      throw failed(errors.read("cannot write", e), e);
    }
  }

  /** The failure after which all writes may fail until the database is opened again, or null. */
  @Nullable StoreException failure() {
    return failure;
  }

  private StoreException failed(StoreException thrown, RocksDBException cause) {
    fail(thrown, cause);
    return thrown;
  }

  private void fail(StoreException thrown, RocksDBException cause) {
    if (failure == null && RocksDbErrors.isLasting(cause)) {
      failure = thrown;
    }
  }

  /** Whether something has failed in the background, which may or may not prevent writes. */
  boolean hasBackgroundErrors() {
    try {
      return db.getLongProperty("rocksdb.background-errors") > 0;
    } catch (RocksDBException e) {
      throw errors.read("cannot read its state", e);
    }
  }

  /** Notices whether RocksDB refuses writes, or would make them wait since a flush has failed. */
  void checkWrites() {
    if (failure != null) {
      return;
    }
    try (WriteOptions options = new WriteOptions(tuning.writes()).setNoSlowdown(true)) {
      begin(options);
      records.rewrite(options);
      written();
    } catch (RocksDBException e) {
      boolean isStalled = e.getStatus() != null && e.getStatus().getCode() == Code.Incomplete;
      if (!isStalled || hasBackgroundErrors()) {
        fail(errors.read("cannot write", e), e);
      }
    }
  }

  /** After each change, all of which are synced if the store syncs. */
  private void written() {
    acknowledged.written(db.getLatestSequenceNumber());
    if (acknowledged.isReplaced()) {
      StoreException lost = errors.lost(AcknowledgedChanges.REPLACED);
      failure = lost;
      throw lost;
    }
  }

  /** What happened if a file was copied over one of the files; null if it is not known. */
  @Nullable String replaced() {
    return acknowledged.isReplaced() ? AcknowledgedChanges.REPLACED : null;
  }

  /** Before the first change: marks the log, so that the log of another store is noticed. */
  private void begin(WriteOptions options) throws RocksDBException {
    if (!begun) {
      synchronized (acknowledged) {
        if (!begun) {
          UUID opening = UUID.randomUUID();
          records.opening(opening, options);
          acknowledged.begin(
              opening,
              StoreFiles.newestLog(directory),
              db.getLatestSequenceNumber(),
              Manifest.current(directory));
          begun = true;
        }
      }
    }
  }

  /**
   * Writes and syncs something.
   *
   * @param all whether to write the tables of all changes that are only in logs
   */
  void verify(boolean all) {
    try (WriteOptions options = new WriteOptions().setSync(true)) {
      begin(options);
      records.rewrite(options);
      written();
      if (all) {
        flush();
      }
    } catch (RocksDBException e) {
      throw failed(errors.read("cannot write", e), e);
    }
  }

  /** Ends flushes and merges, and the writes that wait for them; there are no more afterwards. */
  void stop() {
    db.cancelAllBackgroundWork(false);
  }

  private void flush() throws RocksDBException {
    try (FlushOptions options = new FlushOptions().setWaitForFlush(true)) {
      List<ColumnFamilyHandle> all = new ArrayList<>();
      families.values().forEach(family -> all.add(family.handle()));
      all.add(defaultFamily);
      db.flush(options, all);
    }
  }

  /** RocksDB's memory use. */
  RocksDbMemory.Usage memory(long limit) {
    try {
      return new RocksDbMemory.Usage(
          limit,
          tuning.cache().getUsage(),
          tuning.cache().getPinnedUsage(),
          db.getAggregatedLongProperty("rocksdb.cur-size-all-mem-tables"),
          db.getAggregatedLongProperty("rocksdb.estimate-table-readers-mem"));
    } catch (RocksDBException e) {
      throw errors.read("cannot read its memory usage", e);
    }
  }

  List<StoreMetrics.Metric> metrics(long limit) {
    List<ColumnFamilyHandle> all = new ArrayList<>(List.of(defaultFamily));
    families.values().forEach(family -> all.add(family.handle()));
    try {
      return RocksDbMetrics.of(db, memory(limit), all);
    } catch (RocksDBException e) {
      throw errors.read("cannot read its figures", e);
    }
  }

  /** Closes the database, then the native objects it uses. */
  void close() {
    try {
      flush();
      acknowledged.flushed(db.getLatestSequenceNumber(), Manifest.current(directory));
    } catch (RocksDBException e) {
      // This only avoids a replay of the log, which contains all unflushed changes, at the next
      // opening.
    }
    free();
  }

  /** Closes it without writing what is in the log. */
  void closeUnflushed() {
    db.cancelAllBackgroundWork(true);
    free();
  }

  /**
   * Leaves it open until the process ends, since closing it would write and delete files. Nothing
   * is written or deleted any more.
   */
  void abandon() {
    db.cancelAllBackgroundWork(true);
  }

  /** Closes a database that was opened only for reading. */
  void discard() {
    free();
  }

  private void free() {
    families.values().forEach(family -> family.handle().close());
    defaultFamily.close();
    try {
      db.closeE();
    } catch (RocksDBException e) {
      throw errors.write(e);
    } finally {
      tuning.close();
      acknowledged.close();
    }
  }
}
