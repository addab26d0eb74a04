package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.kv.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.rocksdb.RocksDBException;

class AcknowledgedChangesTest extends RocksDbCase {
  /** How often the log was written and synced. */
  private static final Pattern SYNCS =
      Pattern.compile("Cumulative WAL: (\\d+\\w?) writes, (\\d+) syncs");

  private static int syncs(Database database) throws RocksDBException {
    Matcher counts = SYNCS.matcher(database.rocks().getProperty("rocksdb.dbstats"));
    assertThat(counts.find()).isTrue();
    return Integer.parseInt(counts.group(2));
  }

  /** Otherwise the file would say that a change is synced which a loss of power may undo. */
  @Test
  void everyChangeOfAStoreThatSyncsIsSynced() throws RocksDBException {
    RocksDbErrors errors = new RocksDbErrors(directory);
    NativeLibrary.load(directory, true, errors);
    RocksDbOptions options = RocksDbOptions.defaults().sync(true);
    try (StorePlace place = StorePlace.open(directory, true, errors)) {
      Database database =
          DatabaseOpening.open(place, true, options, InstantSource.system(), errors);
      try {
        database.mark(1); // after the record of the opening
        int before = syncs(database);
        database.mark(2);
        assertThat(syncs(database)).as("syncs of the clock's mark").isEqualTo(before + 1);
        database.checkWrites();
        assertThat(syncs(database)).as("syncs of a test write").isEqualTo(before + 2);
      } finally {
        database.close();
      }
    }
  }

  /** The process would end with SIGBUS if a mapped file became shorter. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void noFileOfAnOpenStoreIsMapped() throws IOException {
    try (KeyValueStore store = open(directory)) {
      create(store, FAMILY);
      store.put(FAMILY, ROW, QUALIFIER, QUALIFIER);
      assertThat(Files.readAllLines(Path.of("/proc/self/maps")))
          .noneMatch(line -> line.contains(directory.toString()))
          .noneMatch(line -> line.contains("librocksdb") && !line.endsWith("(deleted)"));
      assertThat(directory.resolve("native")).doesNotExist();
    }
  }
}
