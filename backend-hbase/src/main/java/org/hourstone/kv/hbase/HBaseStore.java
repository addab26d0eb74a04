package org.hourstone.kv.hbase;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
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
import org.hourstone.kv.StoreClock;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreIdentity;
import org.hourstone.kv.StoreMetrics;
import org.hourstone.kv.TableAdvice;
import org.hourstone.kv.TableRegions;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;

/**
 * Cells in HBase tables, over one asynchronous connection.
 *
 * <p>The servers date cells with a resolution of a millisecond, and a deletion hides cells dated up
 * to its own time: {@link MaskedCells}, {@link CellReplacement} and {@code
 * docs/adr/0007-hbase-mapping.md}.
 */
final class HBaseStore implements KeyValueStore {
  private static final Set<Trait> TRAITS =
      Set.of(Trait.DURABLE, Trait.SHARED, Trait.MANAGED_TABLES);

  private final AsyncConnection connection;
  private final Names names;
  private final InFlightCalls calls;
  private final HBaseErrors errors;
  private final Mutations mutations;
  private final Batches batches;
  private final SingleAttempts attempts;
  private final Reads reads;
  private final ServerClock clock;
  private final MaskedCells maskedCells;
  private final CellReplacement cellReplacement;
  private final CellCreation cellCreation;
  private final HBaseMetrics metrics;
  private final RegionLocations locations;
  private final TableCreation schema;
  private final HBaseRegions regions;
  private final HBaseAdvice advice;
  private final ScanTotals scanTotals = new ScanTotals();
  private final Duration timeout;
  private final Duration rpcTimeout;
  private final Set<HBaseCursor> cursors = ConcurrentHashMap.newKeySet();

  HBaseStore(
      AsyncConnection connection,
      Names names,
      StoreSettings settings,
      Opening opening,
      Duration timeout,
      Duration rpcTimeout,
      SizeLimits limits) {
    this.connection = connection;
    this.names = names;
    this.timeout = timeout;
    this.rpcTimeout = rpcTimeout;
    this.errors = names.errors();
    Duration patience = timeout.plus(InFlightCalls.GRACE);
    this.calls = new InFlightCalls(errors.store(), patience);
    this.mutations = new Mutations(settings.durability(), limits, errors);
    WriteBuffer buffer = new WriteBuffer(settings.writeBuffer(), patience);
    this.batches = new Batches(connection, names, errors, mutations, buffer, timeout);
    this.attempts = new SingleAttempts(connection, names, calls, errors, timeout);
    this.metrics = new HBaseMetrics(buffer, attempts, calls, scanTotals);
    this.reads = new Reads(connection, names, calls, errors);
    this.cellCreation = new CellCreation(attempts, calls, errors, mutations, reads);
    this.clock = new ServerClock(this::change, this::server, errors);
    KeptCells kept = new KeptCells(connection.getAdmin()::getDescriptor, names, calls);
    this.maskedCells = new MaskedCells(reads, clock, new DatedPuts(reads, clock, kept, errors));
    this.cellReplacement = new CellReplacement(reads, mutations, attempts, clock, errors);
    this.locations = RegionLocations.watch(connection, names.used(), calls, rpcTimeout);
    this.schema =
        new TableCreation(connection.getAdmin(), names, calls, errors, settings.tables(), opening);
    this.regions = new HBaseRegions(connection, names, calls, timeout, this::scanner, scanTotals);
    this.advice = new HBaseAdvice(connection.getAdmin(), names, calls, settings.tables());
  }

  @Override
  public Set<Trait> traits() {
    return TRAITS;
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    if (type == StoreClock.class) {
      StoreClock ofServers =
          (family, row, time) -> calls.call(() -> clock.isPast(family, row, time));
      return Optional.of(type.cast(ofServers));
    }
    if (type == StoreMetrics.class) {
      return Optional.of(type.cast(metrics));
    }
    if (type == StoreIdentity.class) {
      return Optional.of(type.cast((StoreIdentity) this::identity));
    }
    if (type == TableRegions.class) {
      return Optional.of(type.cast(regions));
    }
    if (type == TableAdvice.class) {
      return Optional.of(type.cast(advice));
    }
    return type == ScanCounts.class ? Optional.of(type.cast(scanTotals)) : Optional.empty();
  }

  /** The cluster's, and what distinguishes these tables from others there. */
  private String identity() {
    return calls.call(
        () -> {
          ClusterMetrics cluster =
              calls.await(
                  connection.getAdmin().getClusterMetrics(EnumSet.of(Option.CLUSTER_ID)),
                  failure -> errors.schema("cannot read the cluster's ID", failure));
          String id = cluster.getClusterId();
          if (id == null) { // as of a master that has just begun
            throw errors.schema("cannot read the cluster's ID", new IOException("it has none yet"));
          }
          return id + "/" + names.prefix();
        });
  }

  @Override
  public List<Family> families() {
    return calls.call(() -> schema.families());
  }

  @Override
  public void ensure(Collection<FamilySpec> families, SchemaMode mode) {
    calls.run(
        () -> {
          synchronized (schema) {
            schema.ensure(families, mode);
          }
        });
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    Checks.row(row);
    byte[] key = row.clone();
    return calls.call(() -> reads.get(family, key, columns));
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    Checks.rows(rows);
    List<Reads.Question> questions =
        rows.stream().map(row -> new Reads.Question(row.clone(), columns)).toList();
    return calls.call(() -> reads.get(family, questions));
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    return calls.call(() -> open(family, scan));
  }

  private HBaseCursor open(Family family, Scan scan) {
    if (Requests.isEmpty(scan)) {
      reads.requireFamily(family);
    }
    HBaseCursor cursor =
        new HBaseCursor(
            calls,
            errors,
            family,
            scan,
            timeout,
            Requests.isEmpty(scan)
                ? null
                : (after, limit) ->
                    scanner(names.table(family), Requests.scan(family, scan, after, limit)),
            scanTotals,
            cursors::remove);
    cursors.add(cursor);
    return cursor;
  }

  private ResultScanner scanner(TableName table, org.apache.hadoop.hbase.client.Scan request) {
    return connection
        .getTableBuilder(table)
        .setScanTimeout(rpcTimeout.toMillis(), TimeUnit.MILLISECONDS)
        .build()
        .getScanner(request);
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    Checks.batch(batch);
    var unused =
        writing(
            () -> {
              maskedCells.mutate(family, batch, part -> send(family, part));
              return true;
            });
  }

  private void send(Family family, List<RowMutation> batch) {
    var unused =
        calls.await(
            batches.send(family, batch),
            failure ->
                failure instanceof StoreException told ? told : errors.write(family, failure));
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    Checks.increment(row, qualifier);
    return calls.call(
        () -> {
          Result result =
              calls.await(
                  table(family).increment(mutations.increment(family, row, qualifier, delta)),
                  failure -> errors.write(family, failure));
          return errors.counter(family, result);
        });
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
    return writing(() -> compareAndSetCell(family, key, column, expected, update));
  }

  private boolean compareAndSetCell(
      Family family,
      byte[] row,
      byte[] column,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    if (update == null) {
      return expected == null
          ? reads.get(family, row, Columns.exactly(column)).isEmpty()
          : deleteIf(family, row, column, expected);
    }
    return expected == null
        ? putIfAbsent(family, row, column, update)
        : checkAndChange(family, row, column, expected, new Change.Put(column, update));
  }

  /** As after every deletion, the next write must be visible. */
  private boolean deleteIf(Family family, byte[] row, byte[] column, byte[] expected) {
    Row present = reads.get(family, row, Columns.exactly(column));
    if (present.isEmpty()) {
      return false;
    }
    clock.awaitLater(family, row, present.writeTime(0));
    boolean done = checkAndChange(family, row, column, expected, new Change.Delete(column));
    if (done) {
      clock.tick(family);
    }
    return done;
  }

  /**
   * Another client may delete the cell earlier in the same millisecond without waiting for the next
   * one; then the new value is hidden. If another value is found in its place, this call was
   * nevertheless first. When this gives up, its hidden values are deleted, so that none appears
   * once HBase has removed the marker.
   *
   * @throws StoreException REJECTED if the deletion is dated too far ahead to wait for
   */
  private boolean putIfAbsent(Family family, byte[] row, byte[] column, byte[] update) {
    long begun = System.nanoTime();
    while (checkAndChange(family, row, column, null, new Change.Put(column, update))) {
      try {
        if (!reads.get(family, row, Columns.exactly(column)).isEmpty()) {
          return true;
        }
      } catch (StoreException afterwards) {
        throw HBaseErrors.afterwards(afterwards);
      }
      if (System.nanoTime() - begun > ServerClock.MAX_WAIT.toNanos()) {
        return giveUp(family, row, column);
      }
      clock.tick(family);
    }
    return false;
  }

  /** Returns false if the cell is present after all. */
  private boolean giveUp(Family family, byte[] row, byte[] column) {
    long now;
    try {
      now = clock.now(family, row);
      if (!checkAndChange(family, row, column, null, new Change.Delete(column))) {
        return false;
      }
    } catch (StoreException afterwards) {
      throw HBaseErrors.afterwards(afterwards);
    }
    throw errors.hidden(family, row, column, now);
  }

  private boolean checkAndChange(
      Family family, byte[] row, byte[] column, byte @Nullable [] expected, Change change) {
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row);
    if (expected == null) {
      check.ifNotExists(Names.bytes(family), column);
    } else {
      check.ifEquals(Names.bytes(family), column, expected.clone());
    }
    Mutations.RowChanges changes = mutations.changes(family, row).addAll(List.of(change));
    return attempts.checkAndMutate(family, check.build(changes.rowMutations()));
  }

  @Override
  public List<Boolean> createCells(
      Family family, List<byte[]> rows, byte[] qualifier, List<byte[]> values) {
    Checks.createCells(rows, qualifier, values);
    byte[] column = qualifier.clone();
    return writing(() -> cellCreation.create(family, rows, column, values));
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    Checks.replaceCells(observed, replacement);
    return writing(() -> cellReplacement.replace(family, observed, replacement));
  }

  private <T> T writing(Supplier<T> change) {
    return calls.call(
        () -> {
          try {
            return change.get();
          } catch (StoreException e) {
            throw Thread.currentThread().isInterrupted() ? HBaseErrors.unknown(e) : e;
          }
        });
  }

  @Override
  public void close() {
    calls.close();
    locations.close();
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

  private Result change(Family family, RowMutations changes) {
    return calls.await(table(family).mutateRow(changes), failure -> errors.write(family, failure));
  }

  private ServerName server(Family family, byte[] row) {
    return calls
        .await(
            connection.getRegionLocator(names.table(family)).getRegionLocation(row),
            failure -> errors.read(family, failure))
        .getServerName();
  }

  private AsyncTable<?> table(Family family) {
    return connection.getTable(names.table(family));
  }
}
