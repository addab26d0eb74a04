package org.hourstone.testing.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.Tsdb;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * New series are announced to the copies of other processes, and no announcement is missed: it is
 * repeated when its number was old, or a reader has not waited for it.
 */
public abstract class IndexAnnouncementContract extends IndexCase {
  private static final Family INDEX = new Family("tsdb-index", "i");

  private static final byte[] INDEX_QUALIFIER = {'i'};

  /** Of the announcements of a metric. */
  private List<Long> announced(String metric) {
    byte[] uid = db.uids().uid(UidKind.METRIC, metric);
    List<Long> numbers = new ArrayList<>();
    try (RowCursor rows = store.scan(INDEX, Scan.prefix(joined(3, uid)))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        numbers.add(ByteBuffer.wrap(row.key(), 1 + uid.length, Long.BYTES).getLong());
      }
    }
    return numbers;
  }

  private static byte[] joined(int prefix, byte[] uid) {
    return ByteBuffer.allocate(1 + uid.length).put((byte) prefix).put(uid).array();
  }

  /** As if a number of announcements had been made since. */
  private void skipAnnouncements(String metric, long count) {
    byte[] uid = db.uids().uid(UidKind.METRIC, metric);
    store.increment(INDEX, joined(1, uid), INDEX_QUALIFIER, count);
  }

  /** Runs once, when a process has taken a number and not made its announcement. */
  private KeyValueStore announcing(Runnable action) {
    AtomicReference<Runnable> next = new AtomicReference<>(action);
    return new SharedStore(store) {
      @Override
      public boolean compareAndSet(
          Family family,
          byte[] row,
          byte[] qualifier,
          byte @Nullable [] expected,
          byte @Nullable [] update) {
        if (family.equals(INDEX) && row[0] == 3) {
          next.getAndSet(() -> {}).run();
        }
        return super.compareAndSet(family, row, qualifier, expected, update);
      }
    };
  }

  @Test
  final void oldAnnouncementsAreRemovedThoughTheyWereVoidedOrTheirTurnWasMissed() {
    put(db, "m", host(0));
    checkEqual(db, "m");
    put(over(announcing(() -> checkEqual(db, "m")), options()), "m", host(1));
    assertThat(announced("m")).describedAs("2 is void").containsExactly(1L, 2L, 3L);
    skipAnnouncements("m", 1276);
    checkEqual(db, "m");
    // The number 1280, at which old ones are removed, is voided.
    put(over(announcing(() -> checkEqual(db, "m")), options()), "m", host(2));
    assertThat(announced("m")).allMatch(number -> number >= 256).contains(1280L, 1281L);
    checkEqual(db, "m");
    assertThat(scanned(db, "m")).hasSize(3);
  }

  @Test
  final void anAnnouncementThatIsMadeWhenItsNumberIsOldIsRepeated() {
    put(db, "m", host(0));
    checkEqual(db, "m");
    Runnable later =
        () -> {
          checkEqual(db, "m"); // voids its number, 2
          skipAnnouncements("m", 1277);
          put(db, "m", host(2)); // removes old ones
          assertThat(announced("m")).containsExactly(1280L);
        };
    Runnable elsewhere = () -> CompletableFuture.runAsync(later).join(); // a writer may not wait
    put(over(announcing(elsewhere), options()), "m", host(1));
    assertThat(announced("m")).contains(1281L);
    checkEqual(db, "m");
    assertThat(scanned(db, "m")).hasSize(3);
  }

  @Test
  final void whatOthersAnnounceIsAddedToTheCopy() {
    SharedStore shared = new SharedStore(store);
    Tsdb reader = over(shared, options());
    for (int i = 0; i < 100; i++) {
      db.put("m", START, i, host(i));
    }
    db.flush();
    checkEqual(reader, "m");
    int scans = shared.scansOfIndex.get();
    Tsdb second = tsdb(options());
    for (int i = 100; i < 130; i++) {
      put(i % 3 == 0 ? reader : i % 3 == 1 ? second : db, "m", host(i));
      if (i % 4 == 0) {
        checkEqual(reader, "m");
      }
    }
    checkEqual(reader, "m");
    assertThat(shared.scansOfIndex.get()).isEqualTo(scans);
    assertThat(scanned(reader, "m")).hasSize(130);
    skipAnnouncements("m", 600);
    put(second, "m", host(130));
    checkEqual(reader, "m");
    assertThat(shared.scansOfIndex.get()).describedAs("it was too far behind").isGreaterThan(scans);
  }

  @Test
  final void anAnnouncementThatAReaderDoesNotWaitForIsRepeated() {
    put(db, "m", host(0));
    checkEqual(db, "m");
    List<Integer> sizes = new ArrayList<>();
    KeyValueStore slow =
        new SharedStore(store) {
          @Override
          public boolean compareAndSet(
              Family family,
              byte[] row,
              byte[] qualifier,
              byte @Nullable [] expected,
              byte @Nullable [] update) {
            if (family.table().equals("tsdb-index") && row[0] == 3 && sizes.size() < 2) {
              sizes.add(indexed(db, "m").orElseThrow().size());
            }
            return super.compareAndSet(family, row, qualifier, expected, update);
          }
        };
    put(over(slow, options()), "m", host(1));
    assertThat(sizes).describedAs("read between the number and the announcement").hasSize(2);
    checkEqual(db, "m");
    assertThat(scanned(db, "m")).hasSize(2);
  }
}
