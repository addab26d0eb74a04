package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.Trait;
import org.junit.jupiter.api.Test;

/**
 * Durability after closing and after the death of the process, and concurrent use by two processes.
 * For stores with the trait DURABLE or SHARED; others need only open without data.
 */
public abstract class DurabilityContract extends StoreContract {
  private static final byte[] ROW = bytes("row");
  private static final byte[] Q = bytes("qualifier");
  private static final int BATCHES_BEFORE_KILL = 250;

  @Test
  final void aDurableStoreReopensAsItWasClosed() {
    assumeTrue(has(Trait.DURABLE), "DURABLE is not promised");
    Family other = new Family(family().table(), "u");
    create(other);
    for (int i = 0; i < 50; i++) {
      put(number(i), Q, number(i));
      store().append(family(), number(i), bytes("log"), number(i));
    }
    passTime();
    Change dated = new Change.PutIfNewer(bytes("dated"), new byte[0], 1_234);
    store().mutate(family(), List.of(new RowMutation(ROW, dated)));
    store().mutate(family(), List.of(new RowMutation(number(7), new Change.DeleteRow())));
    store().mutate(family(), List.of(new RowMutation(number(8), new Change.Delete(Q))));
    store().increment(family(), ROW, bytes("counter"), 42);
    store().compareAndSet(family(), ROW, bytes("cas"), null, bytes("v"));
    store().replaceCells(family(), get(number(9)), List.of(new Cell(bytes("merged"), Q)));
    store().put(other, ROW, Q, bytes("other"));
    List<Family> families = store().families();
    List<String> before = contents(store(), family());

    reopen();

    assertThat(contents(store(), family())).isEqualTo(before);
    assertThat(store().families()).isEqualTo(families);
    assertThat(store().get(other, ROW, Columns.all()).find(Q)).isEqualTo(bytes("other"));
    assertThat(store().increment(family(), ROW, bytes("counter"), 1)).isEqualTo(43);
    store().append(family(), number(1), bytes("log"), bytes("!"));
    assertThat(get(number(1)).find(bytes("log"))).hasSize(9);
  }

  @Test
  final void aStoreReopensAgainAndAgain() {
    int rounds = 5;
    for (int round = 0; round < rounds; round++) {
      create(family());
      store().append(family(), ROW, Q, bytes("x"));
      put(number(round), Q, bytes("v"));
      reopen();
      create(family());
      if (has(Trait.DURABLE)) {
        assertThat(rows(Scan.all())).hasSize(round + 2);
        assertThat(get(ROW).find(Q)).hasSize(round + 1);
      }
    }
  }

  @Test
  final void whatWasAcknowledgedSurvivesTheDeathOfTheProcess() throws Exception {
    assumeTrue(has(Trait.DURABLE), "DURABLE is not promised");
    RandomGenerator random = random(0);
    int rounds = count("hourstone.contract.kills", 3);
    List<Long> acknowledged = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      close();
      int killAfter = 1 + random.nextInt(BATCHES_BEFORE_KILL);
      acknowledged.addAll(killedAfter(killAfter, 1_000_000L * round));
      reopen();
      assertSurvived(acknowledged, round + 1);
      create(family());
      put(bytes("after"), Q, number(round));
    }
  }

  /**
   * Runs the second process until it has acknowledged the given number of batches; returns all that
   * it acknowledged.
   */
  private List<Long> killedAfter(int killAfter, long firstBatch) throws Exception {
    Path errors = fixture().directory().resolve("errors-" + firstBatch);
    Process process = start(firstBatch, 1_000_000, errors);
    List<Long> acknowledged = new ArrayList<>();
    try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        acknowledged.add(Long.parseLong(line));
        if (acknowledged.size() == killAfter) {
          // By its handle: the process's own method would close the stream being read.
          process.toHandle().destroyForcibly();
        }
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(acknowledged.size())
        .as("batches acknowledged; the process said: %s", Files.readString(errors))
        .isGreaterThanOrEqualTo(killAfter);
    return acknowledged;
  }

  private void assertSurvived(List<Long> acknowledged, int kills) {
    List<byte[]> keys = new ArrayList<>();
    for (long batch : acknowledged) {
      for (int i = 0; i < SecondProcess.ROWS; i++) {
        keys.add(SecondProcess.row(batch, i));
      }
    }
    List<Row> rows = store().get(family(), keys, Columns.all());
    for (int i = 0; i < rows.size(); i++) {
      byte[] number = number(acknowledged.get(i / SecondProcess.ROWS));
      assertThat(cells(rows.get(i)))
          .as("acknowledged row '%s'", Binary.text(keys.get(i)))
          .isEqualTo(cells(SecondProcess.FIRST, number, SecondProcess.SECOND, number));
    }
    List<Row> present = rows(Scan.prefix(bytes("row ")));
    present.forEach(row -> assertThat(row.size()).as("cells of a row").isEqualTo(2));
    acknowledged.forEach(this::assertSurvived);
    assertLogged(acknowledged, kills);
    byte[] counter = get(SecondProcess.COUNTER).find(SecondProcess.FIRST);
    assertThat(counter).as("counter").isNotNull();
    assertThat(ByteBuffer.wrap(counter).getLong())
        .isBetween((long) acknowledged.size(), (long) acknowledged.size() + kills);
  }

  private void assertSurvived(long batch) {
    byte[] number = number(batch);
    byte[] first = SecondProcess.FIRST;
    byte[] second = SecondProcess.SECOND;
    assertThat(cells(get(SecondProcess.own("set", batch))))
        .as("acknowledged batch %d: the cell set by compare-and-set", batch)
        .isEqualTo(cells(first, number));
    assertThat(cells(get(SecondProcess.own("replaced", batch))))
        .as("acknowledged batch %d: the row of which a cell was replaced", batch)
        .isEqualTo(cells(second, number));
    Row dated = get(SecondProcess.own("dated", batch));
    assertThat(cells(dated))
        .as("acknowledged batch %d: the dated cell", batch)
        .isEqualTo(cells(first, number));
    assertThat(dated.writeTime(0)).isEqualTo(SecondProcess.DATED + batch);
    assertThat(cells(get(SecondProcess.own("deleted", batch))))
        .as("acknowledged batch %d: the row of which a cell was deleted", batch)
        .isEqualTo(cells(second, number));
    assertThat(get(SecondProcess.own("gone", batch)).isEmpty())
        .as("acknowledged batch %d: the deleted row is gone", batch)
        .isTrue();
    if (batch % SecondProcess.BATCHES_PER_FAMILY == 0) {
      assertThat(store().families())
          .as("acknowledged batch %d: the family created", batch)
          .contains(SecondProcess.created(family(), batch));
    }
  }

  /** Every acknowledged append is present, and at most one more of each killed process. */
  private void assertLogged(List<Long> acknowledged, int kills) {
    byte[] log = get(SecondProcess.LOG).find(SecondProcess.FIRST);
    assertThat(log).as("log").isNotNull();
    List<Long> logged = new ArrayList<>();
    for (ByteBuffer left = ByteBuffer.wrap(log); left.hasRemaining(); ) {
      logged.add(left.getLong());
    }
    assertThat(logged).isSorted().doesNotHaveDuplicates().containsAll(acknowledged);
    assertThat(logged.size()).isBetween(acknowledged.size(), acknowledged.size() + kills);
  }

  @Test
  final void aSecondProcessIsRefusedUnlessTheStoreIsShared() throws Exception {
    assumeTrue(has(Trait.DURABLE), "DURABLE is not promised");
    assumeFalse(has(Trait.SHARED), "SHARED is promised");
    put(ROW, Q, bytes("v"));
    Path errors = fixture().directory().resolve("errors");

    Process process = start(0, 1, errors);

    assertThat(process.waitFor()).as("exit status").isEqualTo(SecondProcess.REFUSED);
    assertThat(Files.readAllLines(errors)).as("what it said").hasSize(1);
    assertThat(get(ROW).find(Q)).isEqualTo(bytes("v"));
    put(ROW, Q, bytes("w"));
    reopen();
    assertThat(get(ROW).find(Q)).isEqualTo(bytes("w"));
  }

  @Test
  final void aSharedStoreSeesWhatAnotherProcessWrites() throws Exception {
    assumeTrue(has(Trait.SHARED), "SHARED is not promised");
    Path errors = fixture().directory().resolve("errors");

    Process process = start(0, 20, errors);

    assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
    assertSurvived(List.of(0L, 7L, 19L), 17);
    try (KeyValueStore second = subject().open(fixture())) {
      second.put(family(), ROW, Q, bytes("v"));
      assertThat(get(ROW).find(Q)).isEqualTo(bytes("v"));
      assertThat(second.increment(family(), SecondProcess.COUNTER, SecondProcess.FIRST, 1))
          .isEqualTo(21);
    }
  }

  /** A value read before another process wrote must not be read again afterwards. */
  @Test
  final void aSharedStoreWithAWarmCacheSeesWhatAnotherHandleWrites() {
    assumeTrue(has(Trait.SHARED), "SHARED is not promised");
    try (KeyValueStore second = subject().open(fixture())) {
      for (int i = 0; i < 20; i++) {
        second.put(family(), ROW, Q, number(i));
        assertThat(get(ROW).find(Q)).as("get").isEqualTo(number(i));
        assertThat(rows(Scan.all()).get(0).find(Q)).as("scan").isEqualTo(number(i));
        passTime();
      }
      Row seen = get(ROW);
      second.put(family(), ROW, Q, bytes("changed"));
      assertThat(store().replaceCells(family(), seen, List.of())).as("replaced").isFalse();
      assertThat(store().compareAndSet(family(), ROW, Q, number(19), Q)).as("set").isFalse();
    }
  }

  /** Two processes count, set and append concurrently, in addition to this one. */
  @Test
  final void theAtomicPrimitivesOfASharedStoreAreAtomicAcrossProcesses() throws Exception {
    assumeTrue(has(Trait.SHARED), "SHARED is not promised");
    int each = 150;
    Path errors = fixture().directory().resolve("errors");
    Process process = start(SecondProcess.CONTEND, each, errors);
    try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      List<Long> numbers = new ArrayList<>();
      out.readLine(); // it begins
      for (int i = 0; i < each; i++) {
        numbers.add(SecondProcess.contend(store(), family()));
      }
      out.lines().map(Long::valueOf).forEach(numbers::add);
      assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
      assertThat(2L * each - numbers.stream().distinct().count())
          .as("increments that gave two processes one number")
          .isZero();
    }

    Row row = get(SecondProcess.COUNTER);
    assertThat(countIn(row, SecondProcess.FIRST)).as("the counter").isEqualTo(2L * each);
    assertThat(countIn(row, SecondProcess.SECOND))
        .as("compare-and-sets of two processes")
        .isEqualTo(2L * each);
    assertThat(row.find(SecondProcess.LOG)).as("appends of two processes").hasSize(2 * each);
  }

  private static long countIn(Row row, byte[] qualifier) {
    byte[] value = row.find(qualifier);
    return value == null ? 0 : number(value);
  }

  @Test
  final void aSecondHandleDoesNoHarmToTheFirst() {
    put(ROW, Q, bytes("v"));
    try (KeyValueStore second = subject().open(fixture())) {
      second.families();
    } catch (org.hourstone.kv.StoreException refused) {
      assertThat(refused).hasMessageNotContaining("\n");
    }

    assertThat(get(ROW).find(Q)).isEqualTo(bytes("v"));
    put(ROW, Q, bytes("w"));
    assertThat(get(ROW).find(Q)).isEqualTo(bytes("w"));
  }

  private Process start(long firstBatch, long count, Path errors) throws IOException {
    String uri = subject().uri(fixture());
    assertThat(uri)
        .as("a store that is DURABLE or SHARED must override uri() in its contract test")
        .isNotNull();
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            SecondProcess.class.getName(),
            uri,
            family().table(),
            family().name(),
            Long.toString(firstBatch),
            Long.toString(count));
    return new ProcessBuilder(command).redirectError(errors.toFile()).start();
  }

  private static List<String> contents(KeyValueStore store, Family family) {
    List<String> contents = new ArrayList<>();
    for (Row row : rows(store, family, Scan.all())) {
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        cells.add(cells(row) + "@" + row.writeTime(i));
      }
      contents.add(new org.hourstone.kv.Bytes(row.key()) + ":" + cells);
    }
    return contents;
  }
}
