package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Checkpoints;
import org.hourstone.kv.Checks;
import org.hourstone.kv.Columns;
import org.hourstone.kv.DiskUsage;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Reclamation;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.RocksDBException;

/**
 * A store in an embedded RocksDB database: one directory, one process at a time, any number of
 * threads.
 *
 * <p>{@link Trait#DURABLE} here means that an acknowledged change survives a crash of the process,
 * and with {@link RocksDbOptions#sync} also a loss of power.
 *
 * <p>Extensions: {@link Checkpoints}, {@link DiskUsage}, {@link Reclamation}, {@link
 * RocksDbMemory}.
 */
public final class RocksDbStore implements KeyValueStore {
  private static final Set<Trait> TRAITS = Set.of(Trait.DURABLE, Trait.MONOTONIC_WRITE_TIMES);

  private final String name;
  private final Database database;
  private final Scope scope;
  private final RowReader reader;
  private final WriteClock clock;
  private final RowWriter writer;
  private final FileMerge merge;
  private final boolean coded;
  private final Map<Class<?>, Object> extensions;
  private boolean released;

  /** Does nothing that can fail, since the database, which is open and locked, would leak. */
  private RocksDbStore(
      Path directory, RocksDbOptions options, Database database, InstantSource clock) {
    StoreRecords records = database.records();
    this.name = "rocksdb:" + directory;
    this.database = database;
    this.scope = new Scope("RocksDB store " + directory);
    this.reader = new RowReader(database);
    this.clock = new WriteClock(clock, records.clock(), records::clock);
    this.writer = new RowWriter(database, reader, this.clock);
    this.merge = new FileMerge(database);
    this.coded = options.coded();
    this.extensions =
        Map.of(
            Checkpoints.class, (Checkpoints) target -> scope.run(() -> checkpoint(target)),
            DiskUsage.class, (DiskUsage) () -> scope.call(() -> diskBytes(directory)),
            Reclamation.class, (Reclamation) this::reclaim,
            RocksDbMemory.class, (RocksDbMemory) () -> memory(options.memory()));
  }

  /** As {@link #open(Path, RocksDbOptions, StoreOptions)}, with the system's clock. */
  public static RocksDbStore open(Path directory, RocksDbOptions options) {
    return open(directory, options, StoreOptions.defaults());
  }

  /**
   * Opens the store in a directory; creates both if they don't exist.
   *
   * @throws StoreException if it cannot be opened: NOT_APPLIED if the cause may be temporary, for
   *     example if another process has it open, else REJECTED
   */
  public static RocksDbStore open(
      Path directory, RocksDbOptions options, StoreOptions storeOptions) {
    InstantSource clock = storeOptions.clock();
    Database database = Database.open(directory, options, clock, new RocksDbErrors(directory));
    return new RocksDbStore(directory, options, database, clock);
  }

  @Override
  public Set<Trait> traits() {
    return TRAITS;
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    return Optional.ofNullable(type.cast(extensions.get(type)));
  }

  @Override
  public List<Family> families() {
    return scope.call(() -> database.families());
  }

  @Override
  public void ensure(Collection<FamilySpec> families, SchemaMode mode) {
    scope.run(
        () -> {
          switch (mode) {
            case CREATE -> database.create(families, coded);
            case VERIFY -> verify(families);
          }
        });
  }

  private void verify(Collection<FamilySpec> wanted) {
    List<Family> present = database.families();
    List<Family> missing =
        wanted.stream()
            .map(FamilySpec::family)
            .distinct()
            .filter(family -> !present.contains(family))
            .toList();
    if (!missing.isEmpty()) {
      throw database.errors().rejected("missing families " + missing);
    }
    database.supply(wanted);
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    Checks.row(row);
    return scope.call(() -> reader.get(family, row, columns));
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    Checks.rows(rows);
    return scope.call(() -> reader.get(family, rows, columns));
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    byte[] stop = scan.stop();
    byte[] upper = stop == null ? FlatKeys.beyondAll() : FlatKeys.bound(stop);
    return scope.call(() -> RocksDbCursor.open(scope, scan, reader.iterator(family, upper)));
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    Checks.batch(batch);
    scope.run(() -> writer.mutate(family, batch));
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    Checks.increment(row, qualifier);
    return scope.call(() -> writer.increment(family, row, qualifier, delta));
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    Checks.compareAndSet(row, qualifier, expected, update);
    return scope.call(() -> writer.compareAndSet(family, row, qualifier, expected, update));
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    Checks.replaceCells(observed, replacement);
    return scope.call(() -> writer.replaceCells(family, observed, replacement));
  }

  @Override
  public void close() {
    merge.cancel();
    scope.close();
    release();
  }

  @Override
  public String toString() {
    return name;
  }

  private synchronized void release() {
    if (released) {
      return;
    }
    released = true;
    reader.close();
    merge.close();
    try {
      clock.close();
    } catch (StoreException e) {
      // The mark stays ahead of the assigned times, which is allowed.
    }
    database.close();
  }

  private void checkpoint(Path target) {
    try {
      if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
        throw database.errors().rejected("checkpoint target exists: " + target);
      }
      Path absolute = target.toAbsolutePath();
      Path parent = absolute.getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      try (Checkpoint checkpoint = Checkpoint.create(database.rocks())) {
        checkpoint.createCheckpoint(absolute.toString());
      }
    } catch (IOException e) {
      throw database.errors().directory(e);
    } catch (RocksDBException e) {
      throw database.errors().read("cannot write checkpoint " + target, e);
    }
  }

  private void reclaim(Family family, byte[] start, byte @Nullable [] stop) {
    scope.run(() -> merge.reclaim(family, start, stop));
  }

  private long diskBytes(Path directory) {
    try {
      return StoreFiles.bytes(directory);
    } catch (IOException e) {
      throw database.errors().directory(e);
    }
  }

  private RocksDbMemory.Usage memory(long limit) {
    return scope.call(() -> database.memory(limit));
  }
}
