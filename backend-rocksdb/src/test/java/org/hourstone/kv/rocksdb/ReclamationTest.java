package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Reclamation;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreOptions;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionReport;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.testkit.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The size of the table files once cells were replaced. */
class ReclamationTest {
  private static final long HOUR = 1_704_067_200L;
  private static final int HOURS = 6;
  private static final int HOSTS = 40;
  private static final Family FAMILY = new Family("tsdb", "t");
  private static final byte[] QUALIFIER = {1};

  @TempDir Path directory;

  private final ManualClock clock =
      new ManualClock(Instant.ofEpochSecond(HOUR + (HOURS + 2) * 3600));

  private RocksDbStore store() {
    return RocksDbStore.open(directory, RocksDbOptions.defaults(), new StoreOptions(clock));
  }

  private Tsdb open(KeyValueStore store) {
    return Tsdb.over(
        store,
        TsdbOptions.defaults()
            .withClock(clock)
            .with(Settings.FLUSH_INTERVAL, "0")
            .with(Settings.COMPACTION_BACKGROUND, "false"));
  }

  private long tableBytes() throws IOException {
    long bytes = 0;
    for (Path file : StoreDirectory.files(directory, "*.sst")) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  /** As collectors send: all series of one timestamp, then the next. */
  private void writePoints() {
    Random random = new Random(42);
    try (RocksDbStore store = store();
        Tsdb db = open(store)) {
      for (int second = 0; second < HOURS * 3600; second += 60) {
        for (int host = 0; host < HOSTS; host++) {
          long value = random.nextInt(100);
          var unused =
              db.put(
                  "cpu", Instant.ofEpochSecond(HOUR + second), value, Tags.of("host", "h" + host));
        }
        db.flush();
      }
    }
  }

  private CompactionReport compact(CompactionListener listener) {
    try (RocksDbStore store = store();
        Tsdb db = open(store)) {
      return db.compactor().run(CompactionScope.everything(), listener);
    }
  }

  @Test
  void compactionLeavesSmallerFilesThanItFound() throws Exception {
    writePoints();
    long before = tableBytes();
    List<CompactionReport> reclaimed = new ArrayList<>();
    CompactionReport report =
        compact(
            new CompactionListener() {
              @Override
              public void reclaiming(CompactionReport soFar) {
                reclaimed.add(soFar);
              }
            });

    assertThat(report.rewritten()).isEqualTo(HOURS * HOSTS);
    assertThat(reclaimed).containsExactly(report);
    long after = tableBytes();
    assertThat(after).as("bytes of table files, %d before", before).isLessThan(before);

    assertThat(compact(CompactionListener.NONE).rewritten()).isZero();
    assertThat(tableBytes()).as("after another run").isLessThanOrEqualTo(after + after / 10);
  }

  @Test
  void aRunAfterOneThatDidNotReclaimDoes() throws Exception {
    writePoints();
    long before = tableBytes();
    try (RocksDbStore store = store();
        Tsdb db = open(new WithoutExtensions(store))) {
      db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
    }
    assertThat(tableBytes()).as("not reclaimed").isGreaterThan(before);

    assertThat(compact(CompactionListener.NONE).rewritten()).isZero();
    assertThat(tableBytes()).isLessThan(before);
  }

  /** One hundred cells in one file, and deletions of the first in further files. */
  private void writeAndDelete(RocksDbStore store, int from, int to) {
    store.ensure(List.of(new FamilySpec(FAMILY, true)), SchemaMode.CREATE);
    for (int i = 0; i < 100 && from == 0; i++) {
      store.put(FAMILY, new byte[] {(byte) i}, QUALIFIER, QUALIFIER);
    }
    reclaim(store);
    for (int i = from; i < to; i++) {
      Change delete = new Change.Delete(QUALIFIER);
      store.mutate(FAMILY, List.of(new RowMutation(new byte[] {(byte) i}, delete)));
    }
  }

  private static void reclaim(RocksDbStore store) {
    store.extension(Reclamation.class).orElseThrow().reclaim(FAMILY, new byte[0], null);
  }

  @Test
  void filesWithFewDeletionsAreNotMerged() throws Exception {
    List<Path> files;
    try (RocksDbStore store = store()) {
      writeAndDelete(store, 0, 1);
      reclaim(store);
      files = StoreDirectory.files(directory, "*.sst");
      assertThat(files).hasSize(2);

      writeAndDelete(store, 1, 10);
      reclaim(store);
      assertThat(store.get(FAMILY, new byte[] {9}, Columns.all()).isEmpty()).isTrue();
    }
    assertThat(StoreDirectory.files(directory, "*.sst")).doesNotContainAnyElementsOf(files);
  }

  /** Closing must not wait for a merge of hours. */
  @Test
  void aCancelledMergeEndsEarlyAndLosesNothing() throws Exception {
    try (RocksDbStore store = store()) {
      writeAndDelete(store, 0, 10);
    }
    List<Path> files = StoreDirectory.files(directory, "*.sst");
    RocksDbErrors errors = new RocksDbErrors(directory);
    StorePlace place = StorePlace.open(directory, true, errors);
    Database database =
        DatabaseOpening.open(place, false, RocksDbOptions.defaults(), clock, errors);
    FileMerge merge = new FileMerge(database);
    merge.cancel();
    merge.reclaim(FAMILY, new byte[0], null);
    merge.close();
    merge.cancel();
    database.close();
    place.close();

    assertThat(StoreDirectory.files(directory, "*.sst")).containsAll(files);
    try (RocksDbStore store = store()) {
      assertThat(store.get(FAMILY, new byte[] {9}, Columns.all()).isEmpty()).isTrue();
      assertThat(store.get(FAMILY, new byte[] {10}, Columns.all()).size()).isEqualTo(1);
    }
  }

  /** A store that can't reclaim, as if the process had ended before. */
  private static final class WithoutExtensions extends ForwardingStore {
    WithoutExtensions(KeyValueStore store) {
      super(store);
    }

    @Override
    public <T> Optional<T> extension(Class<T> type) {
      return Optional.empty();
    }
  }
}
