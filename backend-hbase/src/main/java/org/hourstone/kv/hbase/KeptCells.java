package org.hourstone.kv.hbase;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.hourstone.kv.Family;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which families keep and hide cells, according to their configuration. Thread-safe.
 */
final class KeptCells {
  /** The time after which a configuration is read again. */
  private static final long VALID_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Function<TableName, CompletableFuture<TableDescriptor>> tables;
  private final Names names;
  private final InFlightCalls calls;
  private final Map<Family, Rules> known = new ConcurrentHashMap<>();

  /**
   * @param tables reads table descriptors from the master
   */
  KeptCells(
      Function<TableName, CompletableFuture<TableDescriptor>> tables,
      Names names,
      InFlightCalls calls) {
    this.tables = tables;
    this.names = names;
    this.calls = calls;
  }

  /**
   * @param keptMillis the age after which a cell is never visible again
   * @param hidesLaterPuts whether a marker hides cells that are put after it with an earlier time
   * @param readAt the time of reading, by {@link System#nanoTime}
   */
  record Rules(long keptMillis, boolean hidesLaterPuts, long readAt) {
    private static Rules of(@Nullable ColumnFamilyDescriptor family) {
      if (family == null) {
        return new Rules(Long.MAX_VALUE, true, System.nanoTime()); // reads and writes will fail
      }
      int seconds = family.getTimeToLive();
      boolean expires = seconds != HConstants.FOREVER && family.getMinVersions() == 0;
      return new Rules(
          expires ? TimeUnit.SECONDS.toMillis(seconds) : Long.MAX_VALUE,
          !family.isNewVersionBehavior(),
          System.nanoTime());
    }

    private Rules asOf(long nanos) {
      return new Rules(keptMillis, hidesLaterPuts, nanos);
    }

    /** The earliest time of a cell that is still visible. */
    long oldest(long now) {
      return now - keptMillis;
    }
  }

  /** The rules of a family. They are refreshed without waiting for the master. */
  Rules of(Family family) {
    Rules rules = known.get(family);
    if (rules == null) {
      rules = read(family);
      known.put(family, rules);
    } else if (System.nanoTime() - rules.readAt() > VALID_NANOS) {
      known.put(family, rules.asOf(System.nanoTime()));
      var unused = ask(family).thenAccept(changed -> known.put(family, changed));
    }
    return rules;
  }

  private Rules read(Family family) {
    return calls.await(
        ask(family),
        failure ->
            names
                .errors()
                .schema("cannot read the schema of table " + names.table(family), failure));
  }

  private CompletableFuture<Rules> ask(Family family) {
    return tables
        .apply(names.table(family))
        .thenApply(table -> Rules.of(table.getColumnFamily(Names.bytes(family))));
  }
}
