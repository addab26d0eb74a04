package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.hourstone.kv.Backups;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Checkpoints;
import org.hourstone.kv.Checks;
import org.hourstone.kv.Columns;
import org.hourstone.kv.DiskUsage;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Reclamation;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.StoreHealth;
import org.hourstone.kv.StoreIdentity;
import org.hourstone.kv.StoreMetrics;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.RocksDBException;

/**
 * A store in an embedded RocksDB database: one directory, one process at a time, any number of
 * threads. Once a write has failed for another reason than its arguments, writes are refused, until
 * the store has opened its database again by itself. Reads go on.
 *
 * <p>{@link Trait#DURABLE} here means that an acknowledged change survives a crash of the process,
 * and with {@link RocksDbOptions#sync} also a loss of power.
 *
 * <p>Extensions: {@link Checkpoints}, {@link Backups}, {@link DiskUsage}, {@link Reclamation},
 * {@link StoreHealth}, {@link StoreMetrics}, {@link RocksDbMemory}.
 */
public final class RocksDbStore implements KeyValueStore {
  private static final Set<Trait> TRAITS = Set.of(Trait.DURABLE, Trait.MONOTONIC_WRITE_TIMES);

  private final String name;
  private final RocksDbOptions options;
  private final RocksDbErrors errors;
  private final StoreOpening opening;
  private final Outages outages;
  private final Instances instances;
  private final @Nullable DatabaseWatch watch;
  private final Map<Class<?>, Object> extensions;
  private boolean released;

  private RocksDbStore(
      Path directory, RocksDbOptions options, boolean create, InstantSource clock) {
    String described = "RocksDB store " + directory;
    this.name = "rocksdb:" + directory;
    this.options = options;
    this.errors = new RocksDbErrors(directory);
    this.opening = new StoreOpening(directory, create, options, clock, errors, this::mark);
    // From here on nothing can fail, since the database, which is open and locked, would leak.
    Opened first = opening.first();
    this.outages = new Outages(described);
    this.instances = new Instances(described, errors, first);
    OwnFiles files = first.files();
    this.watch =
        files == null
            ? null
            : new DatabaseWatch(opening.place(), errors, instances, files, outages, opening);
    Map<Class<?>, Object> extensions = new HashMap<>();
    extensions.put(Checkpoints.class, (Checkpoints) this::checkpoint);
    extensions.put(Backups.class, new StoreBackup(directory, clock, this::checkpointWithin));
    extensions.put(DiskUsage.class, new StoreDisk(directory, opening.place(), instances, errors));
    extensions.put(Reclamation.class, (Reclamation) this::reclaim);
    extensions.put(RocksDbMemory.class, (RocksDbMemory) this::memory);
    extensions.put(StoreIdentity.class, (StoreIdentity) this::identity);
    extensions.put(StoreMetrics.class, (StoreMetrics) this::metrics);
    if (watch != null) {
      extensions.put(StoreHealth.class, outages);
    }
    this.extensions = Map.copyOf(extensions);
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
    RocksDbErrors errors = new RocksDbErrors(directory);
    boolean create = !options.readOnly() && StoreFiles.prepare(directory, errors);
    if (options.readOnly()) {
      StoreFiles.checkPresent(directory, errors);
    }
    NativeLibrary.load(directory, !options.readOnly(), errors);
    RocksDbStore store = new RocksDbStore(directory, options, create, storeOptions.clock());
    if (store.watch != null) {
      store.watch.start();
    }
    return store;
  }

  private void mark(long time) {
    instances.current().database().mark(time);
  }

  @Override
  public Set<Trait> traits() {
    return TRAITS;
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    return Optional.ofNullable(type.cast(extensions.get(type)));
  }

  /** When the store was created is in its records, which a copy has, too. */
  private String identity() {
    return "rocksdb-" + instances.current().database().epoch();
  }

  @Override
  public List<Family> families() {
    return instances.call(opened -> opened.database().families());
  }

  @Override
  public void ensure(Collection<FamilySpec> families, SchemaMode mode) {
    switch (mode) {
      case CREATE -> {
        boolean missing =
            instances.call(
                opened -> {
                  opened.database().supply(families);
                  return opened.database().lacks(families);
                });
        if (missing) {
          this.<@Nullable Object>write(
              opened -> {
                opened.database().create(families, options.coded());
                return null;
              });
        }
      }
      case VERIFY -> verify(families);
    }
    opening.keep(families);
  }

  private void verify(Collection<FamilySpec> wanted) {
    instances.<@Nullable Object>call(
        opened -> {
          List<Family> present = opened.database().families();
          List<Family> missing =
              wanted.stream()
                  .map(FamilySpec::family)
                  .distinct()
                  .filter(family -> !present.contains(family))
                  .toList();
          if (!missing.isEmpty()) {
            throw errors.rejected("missing families " + missing);
          }
          opened.database().supply(wanted);
          return null;
        });
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    Checks.row(row);
    return instances.call(opened -> opened.reader().get(family, row, columns));
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    Checks.rows(rows);
    return instances.call(opened -> opened.reader().get(family, rows, columns));
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    return RocksDbCursor.open(instances, family, scan);
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    Checks.batch(batch);
    this.<@Nullable Object>write(
        opened -> {
          opened.writer().mutate(family, batch);
          return null;
        });
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    Checks.increment(row, qualifier);
    return write(opened -> opened.writer().increment(family, row, qualifier, delta));
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    Checks.compareAndSet(row, qualifier, expected, update);
    return write(opened -> opened.writer().compareAndSet(family, row, qualifier, expected, update));
  }

  @Override
  public List<Boolean> createCells(
      Family family, List<byte[]> rows, byte[] qualifier, List<byte[]> values) {
    Checks.createCells(rows, qualifier, values);
    boolean isCoded = instances.call(opened -> opened.database().family(family).coding() != null);
    return isCoded
        ? KeyValueStore.super.createCells(family, rows, qualifier, values)
        : write(opened -> opened.writer().createCells(family, rows, qualifier, values));
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    Checks.replaceCells(observed, replacement);
    return write(opened -> opened.writer().replaceCells(family, observed, replacement));
  }

  /** Makes a call that may write, unless writes are refused. */
  private <T extends @Nullable Object> T write(Function<Opened, T> call) {
    return instances.call(
        opened -> {
          String refusal = outages.refusal();
          if (refusal != null) {
            throw errors.unavailable(refusal);
          }
          try {
            return call.apply(opened);
          } catch (StoreException e) {
            if (e.outcome() != Outcome.REJECTED && watch != null) {
              opened.database().checkWrites();
            }
            StoreException failure = opened.database().failure();
            if (failure != null && watch != null) {
              watch.failed(failure);
            }
            throw e;
          }
        });
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.stop();
    }
    Opened last = instances.close();
    release(last);
  }

  @Override
  public String toString() {
    return name;
  }

  private synchronized void release(@Nullable Opened last) {
    if (released) {
      return;
    }
    released = true;
    Opened.End end = last == null ? Opened.End.UNFLUSHED : end(last);
    try {
      if (last != null) {
        last.end(end);
      }
    } finally {
      if (end != Opened.End.ABANDONED) { // which goes on using its path
        opening.place().close();
      }
    }
  }

  private Opened.End end(Opened last) {
    if (watch == null || last.files() == null) {
      return Opened.End.UNFLUSHED;
    }
    watch.lookAtPlace(last);
    if (outages.is(Outages.Kind.LOST)) {
      return Opened.End.ABANDONED;
    }
    if (outages.is(Outages.Kind.FAILED)) {
      return Opened.End.UNFLUSHED;
    }
    try {
      opening.clock().close();
    } catch (StoreException e) {
      // The mark stays ahead of the assigned times, which is allowed.
    }
    return Opened.End.FLUSHED;
  }

  private void checkpoint(Path target) {
    this.<@Nullable Object>write(
        opened -> {
          write(opened.database(), target);
          return null;
        });
  }

  /** Makes a checkpoint in the store's directory, the only one there. */
  private StoreBackup.Source checkpointWithin(String name) {
    return write(
        opened -> {
          try {
            Path place = opening.place().path().toRealPath();
            StoreBackup.removeLeftovers(place);
            write(opened.database(), opening.place().path().resolve(name));
            return new StoreBackup.Source(
                place.resolve(name), Long.toString(opened.database().records().epoch()));
          } catch (IOException e) {
            throw errors.inUse(e);
          }
        });
  }

  private void write(Database database, Path target) {
    try {
      if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
        throw errors.rejected("checkpoint target exists: " + target);
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
      throw errors.inUse(e);
    } catch (RocksDBException e) {
      throw errors.read("cannot write checkpoint " + target, e);
    }
  }

  private void reclaim(Family family, byte[] start, byte @Nullable [] stop) {
    this.<@Nullable Object>write(
        opened -> {
          opened.merge().reclaim(family, start, stop);
          return null;
        });
  }

  private RocksDbMemory.Usage memory() {
    return instances.call(opened -> opened.database().memory(options.memory()));
  }

  private List<StoreMetrics.Metric> metrics() {
    return instances.call(opened -> opened.database().metrics(options.memory()));
  }
}
