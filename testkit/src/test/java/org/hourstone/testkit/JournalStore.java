package org.hourstone.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStoreProvider;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.StoreUri;
import org.hourstone.kv.Trait;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;

/**
 * The model with a journal: the simplest durable store, to try the durability contract on. Each
 * write appends the rows it changed, as they are then, and opening reads them all again. A record
 * that is not complete is the write that was under way when the process died.
 */
final class JournalStore extends ForwardingStore {
  /** Opens {@code journal:directory}. */
  public static final class Provider implements KeyValueStoreProvider {
    @Override
    public Set<String> schemes() {
      return Set.of("journal");
    }

    @Override
    public KeyValueStore open(StoreUri uri, StoreOptions options) {
      uri.allowOnly(Set.of());
      return JournalStore.open(Path.of(uri.location()), options);
    }
  }

  private final FileOutputStream file;
  private final FileOutputStream lock;

  /** How many records are kept back before they are written; 1 for a sound store. */
  private final int recordsPerWrite;

  private final List<byte[]> keptBack = new ArrayList<>();
  private boolean closed;

  private JournalStore(
      KeyValueStore model, FileOutputStream file, FileOutputStream lock, int recordsPerWrite) {
    super(model);
    this.file = file;
    this.lock = lock;
    this.recordsPerWrite = recordsPerWrite;
  }

  static JournalStore open(Path directory, StoreOptions options) {
    Path journal = directory.resolve("journal");
    boolean forgetful = Files.exists(directory.resolve("forgetful"));
    try {
      // A file of its own: closing any other stream of a locked file gives up the lock.
      FileOutputStream lock = new FileOutputStream(directory.resolve("lock").toFile());
      if (!isLocked(lock)) {
        lock.close();
        throw new StoreException(StoreException.Outcome.NOT_APPLIED, directory + " is in use");
      }
      FileOutputStream file = new FileOutputStream(journal.toFile(), true);
      KeyValueStore model = new ModelStore(options.clock());
      replay(journal, model);
      return new JournalStore(model, file, lock, forgetful ? 50 : 1);
    } catch (IOException failure) {
      throw new StoreException(
          StoreException.Outcome.NOT_APPLIED, "cannot open " + journal + ": " + failure, failure);
    }
  }

  private static boolean isLocked(FileOutputStream lock) throws IOException {
    try {
      return lock.getChannel().tryLock() != null;
    } catch (OverlappingFileLockException heldByThisProcess) {
      return false;
    }
  }

  @Override
  public Set<Trait> traits() {
    Set<Trait> traits = EnumSet.copyOf(super.traits());
    traits.add(Trait.DURABLE);
    return traits;
  }

  @Override
  public synchronized void ensure(Collection<FamilySpec> families, SchemaMode mode) {
    super.ensure(families, mode);
    for (FamilySpec spec : families) {
      write(record(spec.family(), List.of()));
    }
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    List<byte[]> rows = batch.stream().map(RowMutation::row).toList();
    logged(
        family,
        rows,
        () -> {
          super.mutate(family, batch);
          return "done";
        });
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    return logged(family, List.of(row), () -> super.increment(family, row, qualifier, delta));
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    return logged(
        family, List.of(row), () -> super.compareAndSet(family, row, qualifier, expected, update));
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    return logged(
        family, List.of(observed.key()), () -> super.replaceCells(family, observed, replacement));
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      super.close();
      try {
        for (byte[] each : keptBack) {
          file.write(each);
        }
        file.close();
        lock.close();
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  private synchronized <T> T logged(Family family, List<byte[]> rows, Supplier<T> write) {
    T answer = write.get();
    write(record(family, get(family, rows, Columns.all())));
    return answer;
  }

  private void write(byte[] record) {
    keptBack.add(record);
    try {
      if (keptBack.size() >= recordsPerWrite) {
        for (byte[] each : keptBack) {
          file.write(each);
        }
        keptBack.clear();
      }
    } catch (IOException failure) {
      throw new StoreException(StoreException.Outcome.UNKNOWN, failure.toString(), failure);
    }
  }

  /** Length, table, family, and each row: key, then its cells. */
  private static byte[] record(Family family, List<Row> rows) {
    try {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(body);
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

  private static void replay(Path journal, KeyValueStore model) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(journal)))) {
      while (true) {
        apply(new DataInputStream(new ByteArrayInputStream(readBytes(in))), model);
      }
    } catch (EOFException end) {
      // Or half a record, of a write that was never acknowledged.
    }
  }

  private static void apply(DataInputStream in, KeyValueStore model) throws IOException {
    Family family = new Family(in.readUTF(), in.readUTF());
    model.ensure(List.of(new FamilySpec(family, true)), SchemaMode.CREATE);
    int rows = in.readInt();
    for (int i = 0; i < rows; i++) {
      byte[] key = readBytes(in);
      model.mutate(family, List.of(new RowMutation(key, new Change.DeleteRow())));
      List<Change> cells = new ArrayList<>();
      int count = in.readInt();
      for (int cell = 0; cell < count; cell++) {
        cells.add(new Change.PutIfNewer(readBytes(in), readBytes(in), in.readLong()));
      }
      if (!cells.isEmpty()) {
        model.mutate(family, List.of(new RowMutation(key, cells)));
      }
    }
  }

  private static byte[] readBytes(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return bytes;
  }
}
