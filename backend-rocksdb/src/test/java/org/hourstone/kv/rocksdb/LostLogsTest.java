package org.hourstone.kv.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Reclamation;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No acknowledged change is missing without an error when a process was killed and its write-ahead
 * logs are not as it left them. Each test has a copy of the directory of an open store, with three
 * logs, since family OTHER was flushed twice. The rows of FAMILY are only in the logs.
 */
class LostLogsTest extends RocksDbCase {
  private static final Family OTHER = new Family("other", "t");
  private static final int ROWS_PER_LOG = 100;
  private static final int ROWS = 3 * ROWS_PER_LOG;

  private Path left = Path.of("");
  private List<Path> logs = List.of();

  @BeforeEach
  void kill() throws IOException {
    left = killed(directory.resolve("store"), directory.resolve("left"));
    logs = logs(left);
    assertThat(logs).hasSize(3);
  }

  @Test
  void logsAsTheyWereLeftOpenWithEveryChange() {
    assertComplete(left);
    assertComplete(left);
  }

  @Test
  void aKilledProcessThatWasOpenedAndKilledAgainLosesNothing() throws IOException {
    Path again = directory.resolve("again");
    try (KeyValueStore opened = open(left)) {
      opened.put(FAMILY, row(ROWS), QUALIFIER, QUALIFIER);
      StoreDirectory.copy(left, again);
    }
    try (KeyValueStore survivor = open(again)) {
      assertThat(rows(survivor)).isEqualTo(ROWS + 1);
    }
  }

  /** A log names the first change of the last record before it, which may have many. */
  @Test
  void aLogThatEndsWithARecordOfManyChangesIsComplete() throws IOException {
    Path store = directory.resolve("many");
    try (KeyValueStore open = open(store)) {
      create(open, FAMILY, OTHER);
      open.put(FAMILY, row(0), QUALIFIER, QUALIFIER);
      open.mutate(
          OTHER,
          IntStream.range(0, ROWS_PER_LOG)
              .mapToObj(i -> new RowMutation(row(i), new Change.Put(QUALIFIER, QUALIFIER)))
              .toList());
      open.extension(Reclamation.class).orElseThrow().reclaim(OTHER, new byte[0], null);
      open.put(FAMILY, row(1), QUALIFIER, QUALIFIER);
      StoreDirectory.copy(store, directory.resolve("many2"));
    }
    assertThat(logs(directory.resolve("many2"))).hasSize(2);
    try (KeyValueStore survivor = open(directory.resolve("many2"))) {
      assertThat(rows(survivor)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aMissingLogIsAnErrorThatNamesIt(int log) throws IOException {
    Files.delete(logs.get(log));
    assertRefused(Math.min(log, 1)); // nothing is known about the newest one except that it follows
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void anEmptyLogIsAnErrorThatNamesIt(int log) throws IOException {
    cut(logs.get(log), 0);
    assertRefused(log);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aLogCutInHalfIsAnErrorThatNamesIt(int log) throws IOException {
    cut(logs.get(log), Files.size(logs.get(log)) / 2);
    assertRefused(log);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aLogWithoutItsLastByteIsAnErrorThatNamesIt(int log) throws IOException {
    cut(logs.get(log), Files.size(logs.get(log)) - 1);
    assertRefused(log);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aLogWithAnInvertedBitIsAnErrorThatNamesIt(int log) throws IOException {
    StoreDirectory.corrupt(logs.get(log), (int) Files.size(logs.get(log)) / 2);
    assertRefused(log);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aLogOfAnotherStoreIsAnErrorThatNamesIt(int log) throws IOException {
    Path other = killed(directory.resolve("another"), directory.resolve("left2"));
    Files.copy(logs(other).get(log), logs.get(log), StandardCopyOption.REPLACE_EXISTING);
    assertRefused(log);
  }

  @Test
  void logsThatAreAllThoseOfAnotherStoreAreAnError() throws IOException {
    Path other = killed(directory.resolve("another"), directory.resolve("left2"));
    for (int log = 0; log < logs.size(); log++) {
      Files.copy(logs(other).get(log), logs.get(log), StandardCopyOption.REPLACE_EXISTING);
    }
    assertRefused(0);
  }

  @Test
  void logsThatAreAllMissingAreAnError() throws IOException {
    for (Path log : logs) {
      Files.delete(log);
    }
    assertRefused(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void logsThatChangedPlacesAreAnError(int log) throws IOException {
    Path spare = directory.resolve("spare");
    Files.move(logs.get(log), spare);
    Files.move(logs.get(2), logs.get(log));
    Files.move(spare, logs.get(2));
    assertRefused();
  }

  @Test
  void nothingIsChangedSoThatAnOpeningAfterTheLogIsBackIsComplete() throws IOException {
    for (Path log : logs) {
      Path away = directory.resolve("away");
      Files.move(log, away);
      assertRefused();
      Files.move(away, log);
    }
    assertComplete(left);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aRecoveryKeepsTheChangesBeforeAMissingLogAndDestroysNothing(int log) throws IOException {
    Path before = directory.resolve("before");
    StoreDirectory.copy(left, before);
    Files.delete(logs.get(log));
    if (log == 0) { // with the records of the store itself
      assertThatThrownBy(() -> recover(left)).hasMessageContaining("hourstone.format");
    } else {
      assertRecovered(log * ROWS_PER_LOG);
      Files.delete(StoreDirectory.files(left, "dropped-*").get(0).resolve("ACKNOWLEDGED"));
    }
    for (Path later : logs.subList(log + 1, 3)) {
      Path kept = log == 0 ? left : StoreDirectory.files(left, "dropped-*").get(0);
      assertThat(kept.resolve(later.getFileName()))
          .hasSameBinaryContentAs(before.resolve(later.getFileName()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aRecoveryKeepsTheChangesBeforeACorruptRecord(int log) throws IOException {
    StoreDirectory.corrupt(logs.get(log), (int) Files.size(logs.get(log)) / 2);
    assertRecovered(log * ROWS_PER_LOG + ROWS_PER_LOG / 2 - 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aRecoveryKeepsTheChangesBeforeTheEndOfALogThatIsCut(int log) throws IOException {
    cut(logs.get(log), Files.size(logs.get(log)) - 1);
    assertRecovered((log + 1) * ROWS_PER_LOG - 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aRecoveryKeepsTheChangesBeforeALogOfAnotherStore(int log) throws IOException {
    Path other = killed(directory.resolve("another"), directory.resolve("left2"));
    Files.copy(logs(other).get(log), logs.get(log), StandardCopyOption.REPLACE_EXISTING);
    assertRecovered(log * ROWS_PER_LOG);
  }

  @Test
  void aRecoveryOfACompleteStoreDropsNothing() throws IOException {
    recover(left).close();
    assertThat(StoreDirectory.files(left, "dropped-*")).isEmpty();
    assertComplete(left);
  }

  /** A process that dies in the middle of a write has not acknowledged it. */
  @Test
  void aLastRecordThatIsTornAndWasNotAcknowledgedIsIgnored() throws IOException {
    Path earlier = directory.resolve("earlier");
    try (KeyValueStore store = open(directory.resolve("torn"))) {
      create(store, FAMILY);
      store.put(FAMILY, row(1), QUALIFIER, QUALIFIER);
      StoreDirectory.copy(directory.resolve("torn"), earlier);
      store.put(FAMILY, row(2), QUALIFIER, QUALIFIER);
      Path log = logs(earlier).get(0);
      byte[] later = Files.readAllBytes(directory.resolve("torn").resolve(log.getFileName()));
      Files.write(log, Arrays.copyOf(later, later.length - 3));
    }
    try (KeyValueStore survivor = open(earlier)) {
      assertThat(rows(survivor)).isEqualTo(1);
    }
  }

  /** RocksDB reads a log, or a list of table files, with such a record forever. */
  @ParameterizedTest
  @ValueSource(ints = {5, 8, 11, 131})
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aRecordOfAnUnknownTypeIsAnErrorThatNamesIt(int type) throws IOException {
    Path newest = logs.get(2);
    byte[] sound = Files.readAllBytes(newest);
    byte[] content = Arrays.copyOf(sound, sound.length + 100);
    content[sound.length + 6] = (byte) type;
    Files.write(newest, content);
    assertRefused(2);
    recover(left).close();
    assertComplete(left);

    Path list = StoreDirectory.files(left, "MANIFEST-*").get(0);
    content = Arrays.copyOf(Files.readAllBytes(list), (int) Files.size(list) + 100);
    content[content.length - 94] = (byte) type;
    Files.write(list, content);
    assertThatThrownBy(() -> open(left)).hasMessageContaining(list.getFileName() + " has a record");
    assertThatThrownBy(() -> RocksDbStore.open(left, RocksDbOptions.defaults().readOnly(true)))
        .hasMessageContaining("unknown type " + type);
  }

  /** A store that was never opened by a version with the record, or a checkpoint. */
  @Test
  void aStoreWithoutTheRecordOfAcknowledgedChangesOpens() throws IOException {
    Files.delete(left.resolve(AcknowledgedChanges.FILE));
    assertComplete(left);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 100, 4096})
  void aRecordOfAcknowledgedChangesThatIsCutOpens(int bytes) throws IOException {
    Path record = left.resolve(AcknowledgedChanges.FILE);
    Files.write(record, Arrays.copyOf(Files.readAllBytes(record), bytes));
    assertComplete(left);
  }

  @Test
  void aStoreThatWasClosedAndLostItsLastTableFilesListIsRefused() throws IOException {
    Path store = directory.resolve("closed");
    try (KeyValueStore first = open(store)) {
      create(first, FAMILY);
      first.put(FAMILY, row(1), QUALIFIER, QUALIFIER);
    }
    Path manifest = StoreDirectory.files(store, "MANIFEST-*").get(0);
    byte[] current = Files.readAllBytes(store.resolve("CURRENT"));
    byte[] old = Files.readAllBytes(manifest);
    try (KeyValueStore second = open(store)) {
      second.put(FAMILY, row(2), QUALIFIER, QUALIFIER);
    }
    int tables = StoreDirectory.files(store, "*.sst").size();
    Files.write(manifest, old);
    Files.write(store.resolve("CURRENT"), current);
    assertThatThrownBy(() -> open(store))
        .hasMessageContainingAll(manifest.getFileName().toString(), "is older")
        .hasMessageNotContaining("recover=prefix");
    assertThat(StoreDirectory.files(store, "*.sst")).hasSize(tables);
  }

  /** A store with 100 rows in each of three logs, as a killed process leaves it. */
  private Path killed(Path store, Path copy) throws IOException {
    try (KeyValueStore open = open(store)) {
      create(open, FAMILY, OTHER);
      for (int i = 0; i < ROWS; i++) {
        if (i > 0 && i % ROWS_PER_LOG == 0) {
          open.put(OTHER, ROW, QUALIFIER, QUALIFIER);
          open.extension(Reclamation.class).orElseThrow().reclaim(OTHER, new byte[0], null);
        }
        open.put(FAMILY, row(i), QUALIFIER, store.toString().getBytes(UTF_8));
      }
      return StoreDirectory.copy(store, copy);
    }
  }

  private static KeyValueStore recover(Path store) {
    return RocksDbStore.open(store, RocksDbOptions.defaults().recover(true));
  }

  /** Rows up to this one, and no later one, also after another opening. */
  private void assertRecovered(int rows) {
    try (KeyValueStore recovered = recover(left)) {
      assertThat(rows(recovered)).isBetween(rows - 1, rows + 2);
      int found = rows(recovered);
      for (int i = 0; i <= ROWS; i++) {
        assertThat(recovered.get(FAMILY, row(i), Columns.all()).size())
            .isEqualTo(i < found ? 1 : 0);
      }
      recovered.put(OTHER, row(1), QUALIFIER, QUALIFIER);
    }
    try (KeyValueStore again = open(left)) {
      assertThat(again.get(OTHER, row(1), Columns.all()).size()).isEqualTo(1);
    }
  }

  private void assertComplete(Path store) {
    try (KeyValueStore survivor = open(store)) {
      assertThat(rows(survivor)).isEqualTo(ROWS);
      assertThat(survivor.get(OTHER, ROW, Columns.all()).size()).isEqualTo(1);
    }
    try (KeyValueStore reader =
        RocksDbStore.open(store, RocksDbOptions.defaults().readOnly(true))) {
      assertThat(rows(reader)).isEqualTo(ROWS);
    }
  }

  private void assertRefused(int log) {
    String name = logs.get(log).getFileName().toString();
    assertRefusal(() -> open(left)).hasMessageContaining(name);
    assertRefusal(() -> RocksDbStore.open(left, RocksDbOptions.defaults().readOnly(true)))
        .hasMessageContaining(name);
  }

  private void assertRefused() {
    assertRefusal(() -> open(left));
    assertRefusal(() -> RocksDbStore.open(left, RocksDbOptions.defaults().readOnly(true)));
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertRefusal(
      ThrowingCallable opening) {
    return assertThatThrownBy(opening)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.REJECTED))
        .hasMessageContaining("recover=prefix")
        .hasMessageNotContaining("\n")
        .hasMessageNotContaining("something else");
  }

  private static void cut(Path file, long size) throws IOException {
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), (int) size));
  }

  private static List<Path> logs(Path store) throws IOException {
    return StoreDirectory.files(store, "*[0-9].log");
  }

  private static int rows(KeyValueStore store) {
    int rows = 0;
    for (int i = 0; i <= ROWS; i++) {
      rows += store.get(FAMILY, row(i), Columns.all()).size();
    }
    return rows;
  }
}
