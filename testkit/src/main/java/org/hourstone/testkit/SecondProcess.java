package org.hourstone.testkit;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;

/**
 * The process that is killed: writes numbered batches to a store and prints the number of each once
 * the store has acknowledged it. It halts when its standard input ends, which it does when the
 * parent dies.
 *
 * <p>Batch <i>n</i> is: {@link #ROWS} rows {@code n i} of two cells, an append of <i>n</i> to one
 * log, and an increment of one counter.
 */
final class SecondProcess {
  static final int ROWS = 5;
  static final byte[] LOG = Binary.bytes("log");
  static final byte[] COUNTER = Binary.bytes("counter");
  static final byte[] FIRST = Binary.bytes("first");
  static final byte[] SECOND = Binary.bytes("second");

  /** The exit status of a process whose store refused to open. */
  static final int REFUSED = 3;

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
      for (long batch = first; batch < first + count; batch++) {
        write(store, family, batch);
        out.println(batch);
      }
    } catch (StoreException refused) {
      System.err.println(refused.getMessage());
      System.exit(REFUSED);
    }
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
