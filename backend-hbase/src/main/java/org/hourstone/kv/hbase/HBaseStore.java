package org.hourstone.kv.hbase;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Result;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Checks;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.ScanCounts;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;

/**
 * Cells in HBase tables, over one asynchronous connection.
 *
 * <p>Why so few traits: the servers date cells by the millisecond, and a deletion hides what is
 * written in the same millisecond after it. See {@code docs/adr/0007-hbase-mapping.md}.
 */
final class HBaseStore implements KeyValueStore {
  private static final Set<Trait> TRAITS =
      Set.of(Trait.DURABLE, Trait.SHARED, Trait.MANAGED_TABLES);

  private final AsyncConnection connection;
  private final Names names;
  private final Calls calls;
  private final HBaseErrors errors;
  private final Mutations mutations;
  private final Batches batches;
  private final SingleAttempts attempts;
  private final CellReplacement cellReplacement;
  private final KnownPlaces places;
  private final Schema schema;
  private final ScanTotals scanTotals = new ScanTotals();
  private final Set<HBaseCursor> cursors = ConcurrentHashMap.newKeySet();

  HBaseStore(
      AsyncConnection connection,
      Names names,
      StoreSettings settings,
      Duration timeout,
      Duration rpcTimeout,
      int maxCellSize,
      InstantSource clock) {
    this.connection = connection;
    this.names = names;
    this.errors = names.errors();
    this.calls = new Calls(errors.store(), timeout);
    this.mutations = new Mutations(settings.durability(), maxCellSize, errors);
    this.batches =
        new Batches(connection, names, errors, mutations, new WriteBuffer(settings.writeBuffer()));
    this.attempts = new SingleAttempts(connection, names, calls, errors, timeout);
    this.cellReplacement = new CellReplacement(rows(), mutations, attempts, clock);
    this.places = KnownPlaces.watch(connection, calls, rpcTimeout);
    this.schema = new Schema(connection.getAdmin(), names, calls, errors, settings.tables());
  }

  @Override
  public Set<Trait> traits() {
    return TRAITS;
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    return type == ScanCounts.class ? Optional.of(type.cast(scanTotals)) : Optional.empty();
  }

  @Override
  public List<Family> families() {
    long call = calls.enter();
    try {
      return schema.families();
    } finally {
      calls.leave(call);
    }
  }

  @Override
  public void ensure(Collection<FamilySpec> families, SchemaMode mode) {
    long call = calls.enter();
    try {
      synchronized (schema) {
        schema.ensure(families, mode);
      }
    } finally {
      calls.leave(call);
    }
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    Checks.row(row);
    byte[] key = row.clone();
    long call = calls.enter();
    try {
      return read(family, key, columns);
    } finally {
      calls.leave(call);
    }
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    Checks.rows(rows);
    long call = calls.enter();
    try {
      if (Requests.isEmpty(columns)) {
        return rows.stream().map(row -> Row.empty(row.clone())).toList();
      }
      return new MultiGets(table(family), calls).get(family, rows, columns);
    } catch (CallFailedException e) {
      throw errors.read(family, e.failure());
    } finally {
      calls.leave(call);
    }
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    long call = calls.enter();
    try {
      HBaseCursor cursor =
          new HBaseCursor(
              calls,
              errors,
              family,
              scan,
              Requests.isEmpty(scan) ? null : table(family).getScanner(Requests.scan(family, scan)),
              scanTotals,
              cursors::remove);
      cursors.add(cursor);
      return cursor;
    } finally {
      calls.leave(call);
    }
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    Checks.batch(batch);
    long call = calls.enter();
    try {
      calls.await(batches.send(family, batch));
    } catch (CallFailedException e) {
      throw e.failure() instanceof StoreException told ? told : errors.write(family, e.failure());
    } finally {
      calls.leave(call);
    }
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    Checks.increment(row, qualifier);
    long call = calls.enter();
    try {
      Result result =
          calls.await(table(family).increment(mutations.increment(family, row, qualifier, delta)));
      return java.nio.ByteBuffer.wrap(result.value()).getLong();
    } catch (CallFailedException e) {
      throw errors.write(family, e.failure());
    } finally {
      calls.leave(call);
    }
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    Checks.compareAndSet(row, qualifier, expected, update);
    byte[] key = row.clone();
    byte[] column = qualifier.clone();
    long call = calls.enter();
    try {
      if (expected == null && update == null) {
        return read(family, key, Columns.exactly(column)).isEmpty();
      }
      CheckAndMutate.Builder check = CheckAndMutate.newBuilder(key);
      if (expected == null) {
        check.ifNotExists(Names.bytes(family), column);
      } else {
        check.ifEquals(Names.bytes(family), column, expected.clone());
      }
      Change change = update == null ? new Change.Delete(column) : new Change.Put(column, update);
      Mutations.RowChanges changes = mutations.changes(family, key).addAll(List.of(change));
      return attempts.checkAndMutate(family, check.build(changes.rowMutations()));
    } finally {
      calls.leave(call);
    }
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    Checks.replaceCells(observed, replacement);
    long call = calls.enter();
    try {
      cellReplacement.replace(family, observed, replacement);
      return true;
    } finally {
      calls.leave(call);
    }
  }

  @Override
  public void close() {
    calls.close();
    places.close();
    for (HBaseCursor cursor : List.copyOf(cursors)) {
      cursor.close();
    }
    try {
      connection.close();
    } catch (IOException e) {
      throw new StoreException(
          StoreException.Outcome.NOT_APPLIED,
          errors.store() + ": cannot close the connection: " + HBaseErrors.reason(e),
          e);
    }
  }

  @Override
  public String toString() {
    return errors.store();
  }

  private Row read(Family family, byte[] key, Columns columns) {
    if (Requests.isEmpty(columns)) {
      return Row.empty(key);
    }
    try {
      return Requests.row(key, calls.await(table(family).get(Requests.get(family, key, columns))));
    } catch (CallFailedException e) {
      throw errors.read(family, e.failure());
    }
  }

  private CellReplacement.Rows rows() {
    return new CellReplacement.Rows() {
      @Override
      public Row get(Family family, byte[] row, Columns columns) {
        return read(family, row, columns);
      }

      @Override
      public void mutate(Family family, org.apache.hadoop.hbase.client.Row action) {
        try {
          calls.await(table(family).batchAll(List.of(action)));
        } catch (CallFailedException e) {
          throw errors.write(family, e.failure());
        }
      }
    };
  }

  private AsyncTable<?> table(Family family) {
    return connection.getTable(names.table(family));
  }
}
