package org.hourstone.testkit;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Checks;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStoreProvider;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.StoreUri;
import org.hourstone.kv.Trait;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;

/**
 * The model with a journal: the simplest durable store, and the simplest that processes share, to
 * try the contract on. Each write appends the rows it changed, as they are then, and opening reads
 * them all again. A record that is not complete is the write that was under way when the process
 * died.
 *
 * <p>Where processes share it, every call holds the lock of a file, and first reads what others
 * have appended.
 */
final class JournalStore extends ForwardingStore {
  /** Opens {@code journal:directory?shared=true&fault=name}. */
  public static final class Provider implements KeyValueStoreProvider {
    @Override
    public Set<String> schemes() {
      return Set.of("journal");
    }

    @Override
    public KeyValueStore open(StoreUri uri, StoreOptions options) {
      String fault = uri.parameters().getOrDefault("fault", JournalFault.NONE.name());
      if (!fault.equals(JournalFault.UNKNOWN_PARAMETER_IGNORED.name())) {
        uri.allowOnly(Set.of("shared", "fault"));
      }
      return JournalStore.open(
          Path.of(uri.location()), options, uri.flag("shared", false), JournalFault.valueOf(fault));
    }
  }

  /** How many records a forgetful store keeps in memory. */
  private static final int KEPT_BACK = 50;

  /** A file's lock is the process's: its threads and handles need one of their own. */
  private static final Map<Path, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

  private final ModelStore model;
  private final RandomAccessFile file;
  private final RandomAccessFile lockFile;
  private final ReentrantLock lock;
  private final boolean shared;
  private final JournalFault fault;
  private final List<byte[]> keptBack = new ArrayList<>();

  /** Keys of rows that have been read; used by a planted fault alone. */
  private final Set<String> cached = ConcurrentHashMap.newKeySet();

  /** Families that were missing; used by a planted fault alone. */
  private final Set<Family> missing = ConcurrentHashMap.newKeySet();

  private long position;

  /** The record that is not written, counted from the next one; 0 for none. */
  private int failing;

  private boolean failsNextRead;
  private boolean closed;

  private JournalStore(ModelStore model, Path directory, boolean shared, JournalFault fault)
      throws IOException {
    super(model);
    this.model = model;
    this.shared = shared;
    this.fault = fault;
    this.lock =
        LOCKS.computeIfAbsent(directory.toAbsolutePath().normalize(), any -> new ReentrantLock());
    // A file of its own: closing any other stream of a locked file gives up the lock.
    this.lockFile = new RandomAccessFile(directory.resolve("lock").toFile(), "rw");
    if (!shared && !isLocked()) {
      lockFile.close();
      throw new StoreException(StoreException.Outcome.NOT_APPLIED, directory + " is in use");
    }
    this.file = new RandomAccessFile(directory.resolve("journal").toFile(), "rw");
  }

  static JournalStore open(
      Path directory, StoreOptions options, boolean shared, JournalFault fault) {
    try {
      ModelStore model = new ModelStore(options.clock());
      JournalStore store = new JournalStore(model, directory, shared, fault);
      store.locked(() -> true);
      return store;
    } catch (IOException failure) {
      throw new StoreException(
          StoreException.Outcome.NOT_APPLIED, "cannot open " + directory + ": " + failure, failure);
    }
  }

  private boolean isLocked() throws IOException {
    try {
      return lockFile.getChannel().tryLock() != null;
    } catch (OverlappingFileLockException heldByThisProcess) {
      return false;
    }
  }

  /** A planted fault: a family that was once missing stays so. */
  private void absent(Family family) {
    if (fault == JournalFault.MISSING_FAMILY_CACHED) {
      if (missing.contains(family)) {
        throw new StoreException(StoreException.Outcome.REJECTED, "no family " + family);
      }
      if (!families().contains(family)) {
        missing.add(family);
      }
    }
  }

  /** The k-th record from now is not written, as on a full disk. */
  void failCommit(int k) {
    failing = k;
  }

  void failNextRead() {
    failsNextRead = true;
  }

  private void failRead() {
    if (failsNextRead) {
      failsNextRead = false;
      throw new StoreException(
          fault == JournalFault.READ_FAILURE_UNKNOWN
              ? StoreException.Outcome.UNKNOWN
              : StoreException.Outcome.NOT_APPLIED,
          "the journal can't be read");
    }
  }

  @Override
  public Set<Trait> traits() {
    Set<Trait> traits = EnumSet.copyOf(super.traits());
    traits.add(Trait.DURABLE);
    if (shared) {
      traits.add(Trait.SHARED);
    }
    return traits;
  }

  @Override
  public List<Family> families() {
    return locked(super::families);
  }

  @Override
  public void ensure(Collection<FamilySpec> families, SchemaMode mode) {
    locked(
        () -> {
          super.ensure(families, mode);
          families.forEach(spec -> write(record(spec.family(), List.of())));
          return true;
        });
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    failRead();
    absent(family);
    boolean stale =
        fault == JournalFault.STALE_CACHE_OTHER_PROCESS
            && !cached.add(family + Row.empty(row).toString());
    return stale ? super.get(family, row, columns) : locked(() -> super.get(family, row, columns));
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    failRead();
    return locked(() -> super.get(family, rows, columns));
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    failRead();
    return locked(() -> super.scan(family, scan));
  }

  /** Row by row, so that a batch may fail after some of its rows. */
  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    Checks.batch(batch);
    absent(family);
    if (batch.size() == 1 && isUnlocked(batch.get(0).changes())) {
      unlocked(
          family,
          batch.get(0).row(),
          () -> {
            super.mutate(family, batch);
            return true;
          });
      return;
    }
    locked(
        () -> {
          super.mutate(family, List.of()); // rejects a missing family
          for (int i = 0; i < batch.size(); i++) {
            try {
              mutate(family, batch.get(i));
            } catch (StoreException failure) {
              throw fault.reported(failure, i, batch.size());
            }
          }
          return true;
        });
  }

  /** Whether a planted fault lets other processes write between the reading and the writing. */
  private boolean isUnlocked(List<Change> changes) {
    return switch (fault) {
      case SHARED_MIXED_PROCESS_LOCK ->
          changes.size() > 1 && changes.get(1) instanceof Change.Append;
      case SHARED_PIN_PROCESS_LOCK -> changes.get(0) instanceof Change.PutIfNewer;
      default -> false;
    };
  }

  private void mutate(Family family, RowMutation mutation) {
    boolean deletes =
        mutation.changes().stream()
            .anyMatch(change -> change.getClass().getSimpleName().startsWith("Delete"));
    boolean dated = mutation.changes().get(0) instanceof Change.PutIfNewer;
    logged(
        family,
        List.of(mutation.row()),
        fault == JournalFault.LOST_DELETE
            ? deletes
            : dated && fault == JournalFault.LOST_PUTIFNEWER,
        () -> {
          super.mutate(family, List.of(mutation));
          return true;
        });
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    Supplier<Long> increment = () -> super.increment(family, row, qualifier, delta);
    return fault == JournalFault.SHARED_INCREMENT_PROCESS_LOCK
        ? unlocked(family, row, increment)
        : logged(family, List.of(row), false, increment);
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    Supplier<Boolean> set = () -> super.compareAndSet(family, row, qualifier, expected, update);
    return fault == JournalFault.SHARED_CAS_PROCESS_LOCK
        ? unlocked(family, row, set)
        : logged(family, List.of(row), fault == JournalFault.LOST_CAS, set);
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    Supplier<Boolean> replace = () -> super.replaceCells(family, observed, replacement);
    return fault == JournalFault.SHARED_REPLACE_PROCESS_LOCK
        ? unlocked(family, observed.key(), replace)
        : logged(family, List.of(observed.key()), fault == JournalFault.LOST_REPLACE, replace);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      lock.lock();
      try {
        super.close();
        for (byte[] each : keptBack) {
          file.write(each);
        }
        file.close();
        lockFile.close();
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      } finally {
        lock.unlock();
      }
    }
  }

  private <T> T logged(Family family, List<byte[]> rows, boolean lost, Supplier<T> write) {
    return locked(
        () -> {
          T result = write.get();
          if (!lost) {
            write(record(family, model.get(family, rows, Columns.all())));
          }
          return result;
        });
  }

  /** A planted fault: reads what others have written, but lets them write before it does. */
  private <T> T unlocked(Family family, byte[] row, Supplier<T> write) {
    locked(() -> true);
    T result = write.get();
    byte[] record = record(family, List.of(model.get(family, row, Columns.all())));
    LockSupport.parkNanos(200_000);
    locked(
        () -> {
          write(record);
          return true;
        });
    return result;
  }

  private <T> T locked(Supplier<T> call) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the store is closed");
      }
      boolean outermost = shared && lock.getHoldCount() == 1;
      FileLock held = outermost ? lockFile() : null;
      try {
        if (held != null || !shared) {
          replay();
        }
        return call.get();
      } finally {
        if (held != null) {
          held.release();
        }
      }
    } catch (IOException failure) {
      throw new StoreException(StoreException.Outcome.NOT_APPLIED, "journal: " + failure, failure);
    } finally {
      lock.unlock();
    }
  }

  /** The lock of the processes; an interrupt, which would close the file, is put off. */
  private FileLock lockFile() throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      return lockFile.getChannel().lock();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void write(byte[] record) {
    if (failing > 0 && --failing == 0) {
      boolean truthful = fault != JournalFault.COMMIT_FAILURE_NOT_APPLIED;
      if (!truthful) {
        append(record);
      }
      throw new StoreException(
          truthful ? StoreException.Outcome.UNKNOWN : StoreException.Outcome.NOT_APPLIED,
          "no space left on device");
    }
    keptBack.add(record);
    if (fault != JournalFault.FORGETFUL || keptBack.size() >= KEPT_BACK) {
      keptBack.forEach(this::append);
      keptBack.clear();
    }
  }

  private void append(byte[] record) {
    try {
      file.seek(position);
      file.write(record);
      position += record.length;
    } catch (IOException failure) {
      throw new StoreException(StoreException.Outcome.UNKNOWN, failure.toString(), failure);
    }
  }

  /** Length; latest time, table, family, and each row: key, then its cells. */
  private byte[] record(Family family, List<Row> rows) {
    try {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(body);
      out.writeLong(model.lastTime());
      out.writeUTF(family.table());
      out.writeUTF(family.name());
      out.writeInt(rows.size());
      for (Row row : rows) {
        writeBytes(out, row.key());
        out.writeInt(row.size());
        for (int i = 0; i < row.size(); i++) {
          writeBytes(out, row.qualifier(i));
          writeBytes(out, row.value(i));
          out.writeLong(row.writeTime(i));
        }
      }
      ByteArrayOutputStream record = new ByteArrayOutputStream();
      writeBytes(new DataOutputStream(record), body.toByteArray());
      return record.toByteArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Applies the records after those that were read or written here. */
  private void replay() throws IOException {
    while (file.length() - position > Integer.BYTES) {
      file.seek(position);
      int length = file.readInt();
      if (file.length() - position - Integer.BYTES < length) {
        return; // half a record, of a write that was never acknowledged: it is written over
      }
      byte[] body = new byte[length];
      file.readFully(body);
      position += Integer.BYTES + length;
      apply(new DataInputStream(new ByteArrayInputStream(body)));
    }
  }

  private void apply(DataInputStream in) throws IOException {
    long last = in.readLong();
    Family family = new Family(in.readUTF(), in.readUTF());
    model.ensure(List.of(new FamilySpec(family, true)), SchemaMode.CREATE);
    int rows = in.readInt();
    boolean forgets =
        fault == JournalFault.MONOTONE_LOST_ON_REOPEN || fault == JournalFault.MONOTONE_PER_PROCESS;
    for (int i = 0; i < rows; i++) {
      byte[] key = readBytes(in);
      int size = in.readInt();
      byte[][] qualifiers = new byte[size][];
      byte[][] values = new byte[size][];
      long[] times = new long[size];
      for (int cell = 0; cell < size; cell++) {
        qualifiers[cell] = readBytes(in);
        values[cell] = readBytes(in);
        times[cell] = in.readLong();
      }
      model.restore(family, Row.of(key, qualifiers, values, times), forgets ? 0 : last);
    }
  }

  private static byte[] readBytes(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return bytes;
  }
}
