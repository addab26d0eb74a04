package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Reclamation;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.junit.jupiter.api.Test;

/**
 * A corrupt file of a store has one of three outcomes: all data, a refusal, or an error when it is
 * read. Never a wrong value, and never a missing one. {@code -Drocksdb.corruptions=10000} makes
 * more corruptions than a build, {@code -Drocksdb.corruptions.seed} repeats them.
 */
class CorruptFilesTest extends RocksDbCase {
  private static final Family OTHER = new Family("other", "t");
  private static final int CORRUPTIONS = Integer.getInteger("rocksdb.corruptions", 150);
  private static final long FIRST_SEED =
      Long.getLong("rocksdb.corruptions.seed", System.nanoTime());
  private static final int ROWS = 400;

  private final Map<Integer, byte[]> values = new TreeMap<>();
  private final Map<String, Integer> outcomes = new TreeMap<>();
  private Path killed = Path.of("");
  private Path closed = Path.of("");
  private Path older = Path.of("");
  private Path foreign = Path.of("");

  /** What is done to a file. */
  private enum Corruption {
    BIT,
    PAGE,
    TAIL,
    CUT,
    EMPTY,
    DELETED,
    OLDER,
    FOREIGN,
    GARBAGE,
    EXCHANGED
  }

  @Test
  void noCorruptionOfAFileYieldsAWrongOrAMissingValue() throws IOException {
    System.out.println("rocksdb.corruptions.seed=" + FIRST_SEED);
    fill();
    for (int i = 0; i < CORRUPTIONS; i++) {
      corrupt(FIRST_SEED + i);
      if (i % 500 == 499) {
        System.out.println(i + 1 + " corruptions: " + outcomes);
      }
    }
    System.out.println(CORRUPTIONS + " corruptions: " + outcomes);
    assertThat(outcomes.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(CORRUPTIONS);
  }

  /** Zeros are no error to RocksDB, which takes them for space that was reserved. */
  @Test
  void zerosInTheListOfTableFilesYieldNoWrongOrMissingValue() throws IOException {
    fill();
    for (Path left : List.of(killed, closed)) {
      Path list = StoreDirectory.files(left, "MANIFEST-*").get(0);
      byte[] sound = Files.readAllBytes(list);
      int next;
      for (int at = 0; at < sound.length; at = next) { // a record: checksum, length, type, content
        next = at + 7 + ((sound[at + 4] & 0xff) | ((sound[at + 5] & 0xff) << 8));
        for (int from : new int[] {at, at + 3, (at + next) / 2}) {
          checkZeros(left, list.getFileName(), sound, from, next);
          checkZeros(left, list.getFileName(), sound, from, sound.length);
        }
      }
    }
  }

  private void checkZeros(Path left, Path list, byte[] sound, int from, int to) throws IOException {
    byte[] content = sound.clone();
    Arrays.fill(content, from, to, (byte) 0);
    Path store = copy(left);
    Files.write(store.resolve(list), content);
    String what = left.getFileName() + ", zeros from " + from + " to " + to;
    assertThat(outcome(store, true, what)).as(what).isIn("refused", "complete");
    assertThat(outcome(store, false, what)).as(what).isIn("refused", "complete");
  }

  /** A store with table files and logs of several processes; as killed, closed, and before. */
  private void fill() throws IOException {
    Path first = directory.resolve("first");
    Path second = directory.resolve("second");
    older = directory.resolve("older");
    killed = directory.resolve("killed");
    closed = directory.resolve("closed");
    foreign = directory.resolve("foreign");
    Random random = new Random(SEED);
    try (KeyValueStore store = opened(first)) {
      create(store, FAMILY, OTHER);
      put(store, 0, 100, random);
    }
    try (KeyValueStore store = opened(first)) {
      put(store, 50, 200, random);
      StoreDirectory.copy(first, older);
      StoreDirectory.copy(first, second);
    }
    try (KeyValueStore store = opened(second)) {
      put(store, 150, 250, random);
      store.put(OTHER, ROW, QUALIFIER, QUALIFIER);
      store.extension(Reclamation.class).orElseThrow().reclaim(OTHER, new byte[0], null);
      put(store, 250, ROWS, random);
      StoreDirectory.copy(second, killed);
    }
    StoreDirectory.copy(second, closed);
    try (KeyValueStore store = opened(foreign)) {
      create(store, FAMILY, OTHER);
      for (int i = 0; i < ROWS; i++) {
        store.put(FAMILY, row(i), QUALIFIER, new byte[] {1});
      }
    }
    for (Path store : List.of(killed, closed)) {
      try (KeyValueStore sound = opened(copy(store))) {
        assertThat(read(sound)).isEqualTo("complete");
      }
    }
  }

  private void put(KeyValueStore store, int from, int to, Random random) {
    for (int i = from; i < to; i++) {
      byte[] value = new byte[40];
      random.nextBytes(value);
      store.put(FAMILY, row(i), QUALIFIER, value);
      values.put(i, value);
    }
  }

  private void corrupt(long seed) throws IOException {
    Random random = new Random(seed);
    Path store = copy(random.nextInt(4) == 0 ? closed : killed);
    List<Path> files =
        StoreDirectory.files(store, "*").stream().filter(Files::isRegularFile).toList();
    Path file = files.get(random.nextInt(files.size()));
    Corruption corruption = Corruption.values()[random.nextInt(Corruption.values().length)];
    corrupt(store, file, corruption, random);
    String what = "seed " + seed + ": " + corruption + " " + file.getFileName();
    boolean readOnly = random.nextBoolean();
    String outcome = outcome(store, readOnly, what);
    outcomes.merge(outcome, 1, Integer::sum);
    if (!readOnly && outcome.equals("complete")) {
      assertThat(outcome(store, false, what + ", opened again")).isEqualTo("complete");
    }
    if (outcome.equals("refused") && !readOnly) {
      assertThat(outcome(store, true, what + ", then read"))
          .as(what)
          .isIn("refused", "error on read", "complete");
    }
  }

  private String outcome(Path store, boolean readOnly, String what) {
    RocksDbOptions options = RocksDbOptions.defaults().memory(8 << 20).readOnly(readOnly);
    try (KeyValueStore opened = RocksDbStore.open(store, options)) {
      return read(opened);
    } catch (StoreException e) {
      assertThat(e).as(what).hasMessageContaining(store.toString()).hasMessageNotContaining("\n");
      return "refused";
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(what + (readOnly ? ", read only" : ""), e);
    }
  }

  /** Every row that is delivered before a failure is right, and none before it is left out. */
  private String read(KeyValueStore store) {
    int next = 0;
    try (RowCursor rows = store.scan(FAMILY, Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        assertThat(row.key()).isEqualTo(row(next));
        assertThat(row.size()).isEqualTo(1);
        assertThat(row.value(0)).isEqualTo(values.get(next));
        next++;
      }
    } catch (StoreException e) {
      return "error on read";
    }
    assertThat(next).isEqualTo(ROWS);
    return "complete";
  }

  private void corrupt(Path store, Path file, Corruption corruption, Random random)
      throws IOException {
    byte[] content = Files.readAllBytes(file);
    int at = content.length == 0 ? 0 : random.nextInt(content.length);
    switch (corruption) {
      case BIT -> {
        if (content.length > 0) {
          content[at] ^= (byte) (1 << random.nextInt(8));
          Files.write(file, content);
        }
      }
      case PAGE -> {
        Arrays.fill(content, at & ~511, Math.min(content.length, (at & ~511) + 512), (byte) 0);
        Files.write(file, content);
      }
      case TAIL -> {
        Arrays.fill(content, at, content.length, (byte) 0);
        Files.write(file, content);
      }
      case CUT -> Files.write(file, Arrays.copyOf(content, at));
      case EMPTY -> Files.write(file, new byte[0]);
      case DELETED -> Files.delete(file);
      case OLDER -> replace(file, older.resolve(file.getFileName()));
      case FOREIGN -> replace(file, like(foreign, file, random));
      case GARBAGE -> {
        byte[] more = Arrays.copyOf(content, content.length + 1 + random.nextInt(1000));
        for (int i = content.length; i < more.length; i++) {
          more[i] = (byte) random.nextInt();
        }
        Files.write(file, more);
      }
      case EXCHANGED -> {
        Path other = like(store, file, random);
        byte[] its = Files.readAllBytes(other);
        Files.write(other, content);
        Files.write(file, its);
      }
    }
  }

  private static void replace(Path file, Path by) throws IOException {
    if (Files.exists(by)) {
      Files.copy(by, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** A file of the same kind. */
  private static Path like(Path store, Path file, Random random) throws IOException {
    String name = file.getFileName().toString();
    String glob = name.contains(".") ? "*." + name.split("\\.")[1] : name.split("-")[0] + "*";
    List<Path> files = StoreDirectory.files(store, glob);
    return files.isEmpty() ? file : files.get(random.nextInt(files.size()));
  }

  private Path copy(Path store) throws IOException {
    Path copy = directory.resolve("copy");
    if (Files.exists(copy)) {
      try (Stream<Path> files = Files.walk(copy)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    return StoreDirectory.copy(store, copy);
  }

  private static KeyValueStore opened(Path store) {
    return RocksDbStore.open(store, RocksDbOptions.defaults().memory(8 << 20));
  }
}
