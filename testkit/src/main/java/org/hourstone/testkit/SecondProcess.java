package org.hourstone.testkit;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;

/**
 * The process that is killed: writes numbered batches to a store and prints the number of each once
 * the store has acknowledged it. It halts when its standard input ends, which it does when the
 * parent dies.
 *
 * <p>Batch <i>n</i> is: {@link #ROWS} rows {@code n i} of two cells, an append of <i>n</i> to one
 * log, an increment of one counter, and every other kind of write, each to a row of its own:
 * <i>n</i> set by compare-and-set, a cell replaced by another, a dated cell put, a cell deleted, a
 * row deleted, and, in every tenth batch, a family created.
 */
final class SecondProcess {
  static final int ROWS = 5;
  static final byte[] LOG = Binary.bytes("log");
  static final byte[] COUNTER = Binary.bytes("counter");
  static final byte[] FIRST = Binary.bytes("cell 1");
  static final byte[] SECOND = Binary.bytes("cell 2");

  /** The write time of the dated cell of batch 0; that of batch <i>n</i> is as much later. */
  static final long DATED = 1_000;

  /** How many batches there are for one family that is created. */
  static final int BATCHES_PER_FAMILY = 10;

  /** The exit status of a process whose store refused to open. */
  static final int REFUSED = 3;

  /**
   * The first batch of a process that works on the same cells as its parent, see {@link #contend}.
   */
  static final long CONTEND = -1;

  private SecondProcess() {}

  /** Arguments: the store's URI, the family's table and name, the first batch and how many. */
  public static void main(String[] args) {
    Thread watchdog = new Thread(SecondProcess::haltWithParent, "hourstone-watchdog");
    watchdog.setDaemon(true);
    watchdog.start();
    Family family = new Family(args[1], args[2]);
    long first = Long.parseLong(args[3]);
    long count = Long.parseLong(args[4]);
    try (KeyValueStore store = KeyValueStores.open(args[0])) {
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
      if (first == CONTEND) {
        out.println("begin");
        for (long i = 0; i < count; i++) {
          out.println(contend(store, family));
        }
        return;
      }
      for (long batch = first; batch < first + count; batch++) {
        write(store, family, batch);
        out.println(batch);
      }
    } catch (StoreException refused) {
      System.err.println(refused.getMessage());
      System.exit(REFUSED);
    }
  }

  /**
   * Adds one to a counter, adds one to a cell by compare-and-set, and appends a byte to a third.
   *
   * @return the counter's value
   */
  static long contend(KeyValueStore store, Family family) {
    while (true) {
      byte[] seen = store.get(family, COUNTER, Columns.exactly(SECOND)).find(SECOND);
      byte[] next = Binary.number(seen == null ? 1 : Binary.number(seen) + 1);
      if (store.compareAndSet(family, COUNTER, SECOND, seen, next)) {
        break;
      }
    }
    store.append(family, COUNTER, LOG, new byte[1]);
    return store.increment(family, COUNTER, FIRST, 1);
  }

  private static void write(KeyValueStore store, Family family, long number) {
    byte[] value = Binary.number(number);
    List<RowMutation> batch = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      batch.add(
          new RowMutation(
              row(number, i),
              List.of(new Change.Put(FIRST, value), new Change.Put(SECOND, value))));
    }
    store.mutate(family, batch);
    store.append(family, LOG, FIRST, value);
    store.increment(family, COUNTER, FIRST, 1);
    store.compareAndSet(family, own("set", number), FIRST, null, value);
    byte[] replaced = own("replaced", number);
    store.put(family, replaced, FIRST, value);
    Row observed = store.get(family, replaced, Columns.all());
    store.replaceCells(family, observed, List.of(new Cell(SECOND, value)));
    byte[] dated = own("dated", number);
    Change earlier = new Change.PutIfNewer(FIRST, value, DATED + number);
    store.mutate(family, List.of(new RowMutation(dated, earlier)));
    byte[] deleted = own("deleted", number);
    store.mutate(
        family,
        List.of(
            new RowMutation(
                deleted, List.of(new Change.Put(FIRST, value), new Change.Put(SECOND, value)))));
    store.mutate(family, List.of(new RowMutation(deleted, new Change.Delete(FIRST))));
    byte[] gone = own("gone", number);
    store.put(family, gone, FIRST, value);
    store.mutate(family, List.of(new RowMutation(gone, new Change.DeleteRow())));
    if (number % BATCHES_PER_FAMILY == 0) {
      store.ensure(List.of(new FamilySpec(created(family, number), true)), SchemaMode.CREATE);
    }
  }

  /** The key of a row that only batch {@code number} writes. */
  static byte[] own(String what, long number) {
    return Binary.bytes("%s %08d".formatted(what, number));
  }

  /** The family that batch {@code number} creates. */
  static Family created(Family family, long number) {
    return new Family(family.table(), "f" + number % (3 * BATCHES_PER_FAMILY));
  }

  /** The key of row {@code i} of a batch. */
  static byte[] row(long batch, int i) {
    return Binary.bytes("row %08d %d".formatted(batch, i));
  }

  private static void haltWithParent() {
    try {
      while (System.in.read() >= 0) {
        // The parent writes nothing: the read ends when it goes away.
      }
    } catch (IOException gone) {
      Runtime.getRuntime().halt(1);
    }
    Runtime.getRuntime().halt(1);
  }
}
