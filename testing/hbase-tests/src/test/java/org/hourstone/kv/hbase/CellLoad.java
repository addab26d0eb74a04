package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Cells that are incremented, appended to, compared and set, and a table that is scanned, without a
 * pause. What was acknowledged happened once, what is UNKNOWN at most once, and what failed
 * otherwise never.
 */
final class CellLoad implements Load {
  private static final int ROWS = 2_000;
  private static final int APPENDS_A_ROW = 500;
  private static final byte[] Q = {'q'};

  private final KeyValueStore store;
  private final Family family;
  private final byte first;
  private final List<Activity> activities = new ArrayList<>();

  /** What may have happened, beside what did. */
  private int increments;

  private int unknownIncrements;
  private final Set<Long> appends = new HashSet<>();
  private final Set<Long> unknownAppends = new HashSet<>();
  private long register;
  private boolean unsettled;

  private CellLoad(KeyValueStore store, Family family, byte first) {
    this.store = store;
    this.family = family;
    this.first = first;
  }

  /**
   * @param first of the bytes of all its rows, of which there are none yet
   */
  static CellLoad start(KeyValueStore store, Family family, byte first) {
    CellLoad load = new CellLoad(store, family, first);
    load.fill();
    load.activities.add(Activity.start("increment", 20, time -> load.increment()));
    load.activities.add(Activity.start("append", 20, load::append));
    load.activities.add(Activity.start("compare and set", 20, time -> load.compareAndSet()));
    load.activities.add(Activity.start("scan", 50, time -> load.scan()));
    load.activities.add(Activity.start("get", 20, load::get));
    return load;
  }

  @Override
  public List<Activity> activities() {
    return activities;
  }

  @Override
  public void assertComplete() {
    assertThat(number(store.get(family, row('c', 0), Columns.all()).find(Q)))
        .as("increments, and %d of which nothing is known", unknownIncrements)
        .isBetween((long) increments, (long) increments + unknownIncrements);
    assertThat(number(store.get(family, row('r', 0), Columns.all()).find(Q)))
        .isBetween(register, register + (unsettled ? 2 : 0));
    assertAppended();
    scan();
  }

  private void assertAppended() {
    Map<Long, Integer> found = new HashMap<>();
    Set<Long> rows = new HashSet<>();
    appends.forEach(each -> rows.add(each / APPENDS_A_ROW));
    unknownAppends.forEach(each -> rows.add(each / APPENDS_A_ROW));
    for (long row : rows) {
      byte[] value = store.get(family, row('l', row), Columns.all()).find(Q);
      ByteBuffer log = ByteBuffer.wrap(value == null ? new byte[0] : value);
      while (log.hasRemaining()) {
        found.merge(log.getLong(), 1, Integer::sum);
      }
    }
    assertThat(found.values()).as("how often each was appended").allMatch(times -> times == 1);
    assertThat(found.keySet()).containsAll(appends);
    found.keySet().removeAll(appends);
    assertThat(unknownAppends).containsAll(found.keySet());
  }

  private void fill() {
    List<RowMutation> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(new RowMutation(row('t', i), new Change.Put(Q, number(i))));
    }
    store.mutate(family, rows);
    store.put(family, row('r', 0), Q, number(0));
  }

  private void increment() {
    try {
      long now = store.increment(family, row('c', 0), Q, 1);
      increments++;
      assertThat(now).isBetween((long) increments, (long) increments + unknownIncrements);
    } catch (StoreException e) {
      unknownIncrements += isUnknown(e) ? 1 : 0;
      if (!String.valueOf(e.getMessage()).contains("the response to the increment has no value")) {
        throw e;
      } // as it may have none when a server dies: the value can not be asked for again
    }
  }

  private void append(int time) {
    try {
      store.append(family, row('l', time / APPENDS_A_ROW), Q, number(time));
      appends.add((long) time);
    } catch (StoreException e) {
      if (isUnknown(e)) {
        unknownAppends.add((long) time);
      }
      throw e;
    }
  }

  private void compareAndSet() {
    if (unsettled) {
      settle();
      return;
    }
    try {
      assertThat(set(register, register + 1)).as("no other thread sets it").isTrue();
      register++;
    } catch (StoreException e) {
      if (!isUnknown(e)) {
        throw e;
      }
      unsettled = true; // as it may be when a server dies: the client can't try again
    }
  }

  /**
   * After a change that may have been made, and may still be: goes on from either value to one that
   * it does not lead to.
   */
  private void settle() {
    long now = number(store.get(family, row('r', 0), Columns.all()).find(Q));
    assertThat(now).isBetween(register, register + 2);
    if (now == register + 2 || set(now, register + 2)) {
      register += 2;
      unsettled = false;
    }
  }

  private boolean set(long from, long to) {
    return store.compareAndSet(family, row('r', 0), Q, number(from), number(to));
  }

  private void scan() {
    int expected = 0;
    Scan table = Scan.prefix(new byte[] {first, 't'}).rowsPerFetch(50);
    try (RowCursor rows = store.scan(family, table)) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        assertThat(row.key()).isEqualTo(row('t', expected));
        assertThat(row.find(Q)).isEqualTo(number(expected));
        expected++;
      }
    }
    assertThat(expected).isEqualTo(ROWS);
  }

  private void get(int time) {
    int row = time % ROWS;
    assertThat(store.get(family, row('t', row), Columns.all()).find(Q)).isEqualTo(number(row));
  }

  private static boolean isUnknown(StoreException e) {
    return e.outcome() == Outcome.UNKNOWN;
  }

  /** Of the rows that are scanned. */
  byte[] middle() {
    return row('t', ROWS / 2);
  }

  private byte[] row(char kind, long number) {
    return ByteBuffer.allocate(10).put(first).put((byte) kind).putLong(number).array();
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static long number(byte @Nullable [] value) {
    return value == null ? 0 : ByteBuffer.wrap(value).getLong();
  }
}
