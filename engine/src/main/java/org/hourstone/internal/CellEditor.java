package org.hourstone.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Changes single cells alongside other writers. A change is a compare-and-set that is repeated
 * until the cell holds the wanted value. The result {@code false} does not prove that another
 * writer was first, since it is also the result if an earlier attempt of unknown outcome was
 * applied. So the cell is read back, and its value decides. Thread-safe.
 */
public final class CellEditor {
  private static final int ATTEMPTS = 8;

  /** Changes get more attempts, since other writers may also interfere. */
  private static final int CHANGE_ATTEMPTS = 16;

  private final KeyValueStore store;
  private final Retry retry;
  private final Retry changeRetry;
  private final int largestValue;

  public CellEditor(KeyValueStore store, Backoff backoff) {
    this(store, backoff, Limits.VALUE);
  }

  /**
   * @param largestValue the maximum number of bytes of a value that is written
   */
  public CellEditor(KeyValueStore store, Backoff backoff, int largestValue) {
    this.store = store;
    this.largestValue = largestValue;
    this.retry = new Retry(ATTEMPTS, backoff);
    this.changeRetry = new Retry(CHANGE_ATTEMPTS, backoff);
  }

  /** A cell's value; null if it is absent. */
  public byte @Nullable [] read(Family family, byte[] row, byte[] qualifier) {
    return row(family, row, qualifier).find(qualifier);
  }

  /** A row's cells with these qualifiers. */
  public Row row(Family family, byte[] row, byte[]... qualifiers) {
    checkSize(row, row.length, Limits.ROW_KEY);
    return retry.call(() -> store.get(family, row, Columns.exactly(qualifiers)));
  }

  /**
   * Adds to a counter; returns its new value. After an unknown outcome the increment is repeated,
   * so numbers may be skipped.
   */
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    return retry.call(() -> store.increment(family, row, qualifier, delta));
  }

  /**
   * Changes a cell, computing its new value from the current one.
   *
   * @param change computes the wanted value, which must not be empty, from the current one, null
   *     for absent. It must not depend on how often it is called: after a write whose outcome is
   *     unknown the cell may already hold the wanted value. Its exceptions are passed on.
   * @return the cell's value now
   * @throws StoreException if the store keeps failing, or other writers keep changing the cell
   */
  public byte[] update(
      Family family, byte[] row, byte[] qualifier, Function<byte @Nullable [], byte[]> change) {
    byte[] present = read(family, row, qualifier);
    byte[] wanted = change.apply(present);
    if (Arrays.equals(present, wanted)) {
      return wanted;
    }
    Settled settled = settle(family, row, qualifier, present, change::apply, () -> true);
    return settled.value() == null
        ? wanted
        : settled.value(); // else another writer has removed it since
  }

  /**
   * Sets an absent cell.
   *
   * @return whether this call set it; if the outcome of an attempt was unknown, whether the cell
   *     holds the value
   */
  public boolean create(Family family, byte[] row, byte[] qualifier, byte[] value) {
    Settled settled = setIfAbsent(family, row, qualifier, value);
    return settled.bySetting() || (settled.doubted() && Arrays.equals(settled.value(), value));
  }

  /**
   * Sets an absent cell.
   *
   * @return its value afterwards: another writer's value if that writer was first; null if the
   *     outcome of an attempt was unknown and another writer has removed the value that it may have
   *     set. After an attempt of unknown outcome, the value may have been set, read, removed and
   *     set again.
   */
  public Settled setIfAbsent(Family family, byte[] row, byte[] qualifier, byte[] value) {
    return setIfAbsent(family, row, qualifier, value, () -> true);
  }

  /**
   * As {@link #setIfAbsent(Family, byte[], byte[], byte[])}, but after an attempt of unknown
   * outcome the value is set again only if that is allowed.
   *
   * @param isNew called each time the cell is absent after such an attempt; returns whether no
   *     attempt was applied, so that no other writer can have read and removed the value
   */
  public Settled setIfAbsent(
      Family family, byte[] row, byte[] qualifier, byte[] value, BooleanSupplier isNew) {
    return settle(
        family, row, qualifier, null, present -> present == null ? value : present, isNew);
  }

  /** A cell's value in each of these rows; null where it is absent. */
  public List<byte @Nullable []> readAll(Family family, List<byte[]> rows, byte[] qualifier) {
    List<byte @Nullable []> values = new ArrayList<>(rows.size());
    if (!rows.isEmpty()) {
      for (Row row : retry.call(() -> store.get(family, rows, Columns.exactly(qualifier)))) {
        values.add(row.find(qualifier));
      }
    }
    return values;
  }

  /** Which of these rows lack a cell. */
  public List<byte[]> without(Family family, List<byte[]> rows, byte[] qualifier) {
    List<byte[]> lacking = new ArrayList<>();
    for (Row row : retry.call(() -> store.get(family, rows, Columns.exactly(qualifier)))) {
      if (row.isEmpty()) {
        lacking.add(row.key());
      }
    }
    return lacking;
  }

  /**
   * Sets absent cells in several rows, by one attempt.
   *
   * @param rows all different
   * @return for each whether it was set; else it has another value
   * @throws StoreException if the store has failed; UNKNOWN if some may be set
   */
  public List<Boolean> createAll(
      Family family, List<byte[]> rows, byte[] qualifier, List<byte[]> values) {
    for (int i = 0; i < rows.size(); i++) {
      checkSize(rows.get(i), values.get(i).length, largestValue);
    }
    return rows.isEmpty() ? List.of() : store.createCells(family, rows, qualifier, values);
  }

  /**
   * Sets or removes a cell if it still has the value that was read.
   *
   * @param seen the value that was read; null for absent
   * @param update null to remove the cell; if it equals {@code seen}, the cell gets a new write
   *     time
   * @return whether the value is {@code update} now
   * @throws StoreException if the store keeps failing
   */
  public boolean change(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] seen,
      byte @Nullable [] update) {
    Settled settled =
        settle(
            family,
            row,
            qualifier,
            seen,
            present -> Arrays.equals(present, seen) ? update : present,
            () -> true);
    return Arrays.equals(settled.value(), update);
  }

  /** Rows and values are computed from requests, and may exceed what a store accepts. */
  private static void checkSize(byte[] row, int bytes, int limit) {
    if (row.length == 0 || bytes > limit) {
      throw new RequestException(
          row.length == 0 ? "an empty key" : bytes + " bytes are more than the limit of " + limit);
    }
  }

  private interface Wanted {
    byte @Nullable [] of(byte @Nullable [] present);
  }

  /**
   * The final value of a cell.
   *
   * @param value null for absent
   * @param bySetting whether a compare-and-set is known to have been applied
   * @param doubted whether the outcome of a compare-and-set was unknown
   */
  public record Settled(byte @Nullable [] value, boolean bySetting, boolean doubted) {}

  /**
   * Changes a cell from its presumed value to the value wanted for its actual one. After an attempt
   * of unknown outcome, the actual value decides. If the cell is then absent, either the attempt
   * was not applied or another writer has removed the value: it is set again if that is allowed.
   *
   * @param mayRepeat called if the cell is absent after an attempt of unknown outcome
   */
  private Settled settle(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] believed,
      Wanted change,
      BooleanSupplier mayRepeat) {
    Retry.Failures failures = changeRetry.failures();
    byte[] present = believed;
    byte[] wanted = change.of(present);
    while (true) {
      StoreException failure;
      try {
        if (failures.includeUnknown()) {
          present = store.get(family, row, Columns.exactly(qualifier)).find(qualifier);
          wanted = change.of(present);
          if (Arrays.equals(present, wanted) || (present == null && !mayRepeat.getAsBoolean())) {
            return new Settled(present, false, true);
          }
        }
        if (set(family, row, qualifier, present, wanted)) {
          return new Settled(wanted, true, failures.includeUnknown());
        }
        byte[] before = present;
        present = store.get(family, row, Columns.exactly(qualifier)).find(qualifier);
        if (before == null && present == null && failures.includeUnknown()) {
          return new Settled(null, false, true);
        }
        wanted = change.of(present);
        if (Arrays.equals(present, wanted)) {
          return new Settled(wanted, false, failures.includeUnknown());
        }
        failure =
            new StoreException(Outcome.NOT_APPLIED, "a cell of " + family + " keeps changing");
      } catch (StoreException e) {
        failure = e;
      }
      failures.add(failure);
    }
  }

  private boolean set(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] present,
      byte @Nullable [] wanted) {
    checkSize(row, wanted == null ? 0 : wanted.length, largestValue);
    if (present == null || present.length > 0) {
      return store.compareAndSet(family, row, qualifier, present, wanted);
    }
    // Compare-and-set does not support empty values; only a faulty writer leaves one.
    Row observed = store.get(family, row, Columns.exactly(qualifier));
    return !observed.isEmpty()
        && observed.value(0).length == 0
        && store.replaceCells(family, observed, List.of())
        && (wanted == null || store.compareAndSet(family, row, qualifier, null, wanted));
  }

  /**
   * Removes cells if all of them are unchanged, including their write times.
   *
   * @param observed a row as it was read, or a part of it
   * @return whether none of them exists any more
   */
  public boolean remove(Family family, Row observed) {
    byte[][] qualifiers = new byte[observed.size()][];
    Arrays.setAll(qualifiers, observed::qualifier);
    return retry.call(
        () ->
            store.replaceCells(family, observed, List.of())
                // After an unknown outcome this attempt may find that an earlier one was applied.
                || store.get(family, observed.key(), Columns.exactly(qualifiers)).isEmpty());
  }

  /** Removes a cell, regardless of its value. */
  public void delete(Family family, byte[] row, byte[] qualifier) {
    retry.run(
        () -> store.mutate(family, List.of(new RowMutation(row, new Change.Delete(qualifier)))));
  }
}
