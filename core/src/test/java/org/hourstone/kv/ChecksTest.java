package org.hourstone.kv;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksTest {
  /** A batch that puts cells of these qualifiers, in hex, into one row. */
  private static List<RowMutation> puts(String qualifiers) {
    List<Change> puts =
        Arrays.stream(qualifiers.split(" "))
            .<Change>map(hex -> new Change.Put(HexFormat.of().parseHex(hex), new byte[1]))
            .toList();
    return List.of(new RowMutation(new byte[1], puts));
  }

  @ParameterizedTest
  @ValueSource(strings = {"00", "0010 0020 F000", "F000 0010", "0010 00 0010AA", "7F 80 01"})
  void differentQualifiersMayStandInAnyOrder(String qualifiers) {
    assertThatCode(() -> Checks.batch(puts(qualifiers))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"00 00", "00 10 10", "10 00 10", "80 7F 00 80", "00 10 20 00"})
  void aQualifierThatIsThereTwiceIsRefusedWhereverItIs(String qualifiers) {
    assertThatThrownBy(() -> Checks.batch(puts(qualifiers)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two changes of one row have the same qualifier");
  }

  @Test
  void aRowDeletionStandsAlone() {
    Change put = new Change.Put(new byte[] {1}, new byte[1]);
    Change deletion = new Change.DeleteRow();
    assertThatCode(() -> Checks.batch(List.of(new RowMutation(new byte[1], deletion))))
        .doesNotThrowAnyException();
    for (List<Change> changes : List.of(List.of(put, deletion), List.of(deletion, put))) {
      assertThatThrownBy(() -> Checks.batch(List.of(new RowMutation(new byte[1], changes))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a row deletion must be the only change of its row");
    }
  }

  /** Each call takes an argument of the size of a limit, and refuses the next size. */
  private record AtLimit(String message, int limit, IntConsumer call) {}

  private static List<AtLimit> limits() {
    byte[] row = {1};
    byte[] q = {2};
    int rest = Limits.CELL - Limits.VALUE - row.length;
    return List.of(
        new AtLimit("bytes of a row key", Limits.ROW_KEY, n -> Checks.row(new byte[n])),
        new AtLimit(
            "bytes of a row key", Limits.ROW_KEY, n -> Checks.rows(List.of(row, new byte[n]))),
        new AtLimit("bytes of a row key", Limits.ROW_KEY, n -> Checks.increment(new byte[n], q)),
        new AtLimit(
            "bytes of a qualifier", Limits.QUALIFIER, n -> Checks.increment(row, new byte[n])),
        new AtLimit(
            "bytes of a qualifier",
            Limits.QUALIFIER,
            n -> batch(row, new Change.Delete(new byte[n]))),
        new AtLimit(
            "bytes of a value", Limits.VALUE, n -> batch(row, new Change.Put(q, new byte[n]))),
        new AtLimit(
            "bytes of a value",
            Limits.VALUE,
            n -> batch(row, new Change.PutIfNewer(q, new byte[n], 1))),
        new AtLimit(
            "bytes of a value", Limits.VALUE, n -> batch(row, new Change.Append(q, new byte[n]))),
        new AtLimit(
            "bytes of a value", Limits.VALUE, n -> Checks.compareAndSet(row, q, null, new byte[n])),
        new AtLimit(
            "bytes of a value",
            Limits.VALUE,
            n -> Checks.replaceCells(Row.empty(row), List.of(new Cell(q, new byte[n])))),
        new AtLimit(
            "bytes of row key, qualifier and value",
            rest,
            n -> batch(row, new Change.Put(new byte[n], new byte[Limits.VALUE]))),
        new AtLimit(
            "rows of one read",
            Limits.ROWS_PER_BATCH,
            n -> Checks.rows(Collections.nCopies(n, row))),
        new AtLimit("rows of a batch", Limits.ROWS_PER_BATCH, n -> Checks.batch(rows(n))),
        new AtLimit(
            "changes of one row",
            Limits.CELLS_PER_ROW,
            n ->
                batch(
                    row,
                    numbers(n)
                        .<Change>mapToObj(i -> new Change.Delete(number(i)))
                        .toArray(Change[]::new))),
        new AtLimit(
            "cells of a replacement",
            Limits.CELLS_PER_ROW,
            n ->
                Checks.replaceCells(
                    Row.empty(row),
                    numbers(n).mapToObj(i -> new Cell(number(i), new byte[0])).toList())));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void whatIsWithinALimitIsTakenAndWhatIsBeyondIsRefused(AtLimit at) {
    assertThatCode(() -> at.call.accept(at.limit)).doesNotThrowAnyException();
    assertThatThrownBy(() -> at.call.accept(at.limit + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(at.message);
  }

  @Test
  void aRowKeyIsNotEmptyAndAQualifierMayBe() {
    assertThatThrownBy(() -> Checks.row(new byte[0])).hasMessage("empty row key");
    assertThatThrownBy(() -> batch(new byte[0], new Change.DeleteRow()))
        .hasMessage("empty row key");
    assertThatCode(() -> batch(new byte[1], new Change.Put(new byte[0], new byte[0])))
        .doesNotThrowAnyException();
  }

  @Test
  void compareAndSetTakesNoEmptyValue() {
    byte[] one = {1};
    for (List<byte[]> values : List.of(List.of(new byte[0], one), List.of(one, new byte[0]))) {
      assertThatThrownBy(() -> Checks.compareAndSet(one, one, values.get(0), values.get(1)))
          .hasMessage("an empty value in compare-and-set");
    }
  }

  private static void batch(byte[] row, Change... changes) {
    Checks.batch(List.of(new RowMutation(row, List.of(changes))));
  }

  private static List<RowMutation> rows(int count) {
    return numbers(count)
        .mapToObj(i -> new RowMutation(number(i), new Change.DeleteRow()))
        .toList();
  }

  private static IntStream numbers(int count) {
    return IntStream.range(0, count);
  }

  private static byte[] number(int i) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(i).array();
  }
}
