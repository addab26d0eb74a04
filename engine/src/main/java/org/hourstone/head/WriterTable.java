package org.hourstone.head;

import com.google.common.primitives.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.internal.Retry;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the journal's table that say who writes to a database on a shared store. Databases of
 * other tables may have the same journal's table: a writer is one of a data table. Thread-safe.
 *
 * @param points the name of the data table
 */
record WriterTable(KeyValueStore store, Family family, String points, Retry retry) {
  /** The first byte of a key; the rest is the data table, a zero byte, and the writer's name. */
  private static final byte[] KIND = {1};

  private static final byte[] STATE = {'w'};

  private byte[] bytes(String writer) {
    return (points + '\0' + writer).getBytes(StandardCharsets.UTF_8);
  }

  byte[] key(String writer) {
    return Bytes.concat(KIND, bytes(writer));
  }

  /**
   * Null if there was never one of this name.
   *
   * @throws CorruptDataException if the state is corrupt
   */
  @Nullable WriterState state(String writer) {
    Row row = retry.call(() -> store.get(family, key(writer), Columns.exactly(STATE)));
    byte[] value = row.find(STATE);
    try {
      return value == null ? null : WriterState.of(value);
    } catch (CorruptDataException e) {
      throw new CorruptDataException(
          "table " + family.table() + ": the writer " + writer + ": " + e.getMessage());
    }
  }

  /** When a state was changed, by the store's clock; 0 if there is none. */
  long changedAt(String writer) {
    Row row = retry.call(() -> store.get(family, key(writer), Columns.exactly(STATE)));
    int at = row.indexOf(STATE);
    return at < 0 ? 0 : row.writeTime(at);
  }

  /** All writers; those without a state have a corrupt one. */
  Map<String, Optional<WriterState>> all() {
    Map<String, Optional<WriterState>> all = new TreeMap<>();
    byte[] start = key("");
    try (RowCursor rows = store.scan(family, Scan.prefix(start))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        byte[] value = row.find(STATE);
        if (value != null) {
          byte[] name = Arrays.copyOfRange(row.key(), start.length, row.key().length);
          all.put(new String(name, StandardCharsets.UTF_8), readable(value));
        }
      }
    }
    return all;
  }

  private static Optional<WriterState> readable(byte[] value) {
    try {
      return Optional.of(WriterState.of(value));
    } catch (CorruptDataException e) {
      return Optional.empty();
    }
  }

  /**
   * Changes a state, if it is as expected.
   *
   * @param to a state that only this process sets
   */
  boolean change(String writer, @Nullable WriterState from, WriterState to) {
    byte[] expected = from == null ? null : from.value();
    return retry.call(
        () ->
            store.compareAndSet(family, key(writer), STATE, expected, to.value())
                || to.equals(state(writer))); // by an attempt whose outcome was unknown
  }

  /**
   * Replaces a corrupt state.
   *
   * @return false if it was changed since, or is not corrupt
   */
  boolean replaceCorrupt(String writer, WriterState to) {
    Row row = retry.call(() -> store.get(family, key(writer), Columns.exactly(STATE)));
    byte[] present = row.find(STATE);
    return present != null
        && readable(present).isEmpty()
        && retry.call(() -> store.compareAndSet(family, key(writer), STATE, present, to.value()));
  }

  WriterLog log(String writer, long epoch) {
    return new WriterLog(store, family, bytes(writer), epoch);
  }
}
