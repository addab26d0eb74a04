package org.hourstone.uid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.Lists;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The store counts, but cells of one of the two maps can't be set, and names are tried again. */
class UidOutageTest {
  private static final int ATTEMPTS = 20;
  private static final UidKind KIND = UidKind.TAGV;

  enum Fault {
    NOT_APPLIED,
    REJECTED,
    UNKNOWN_APPLIED,
    UNKNOWN_NOT_APPLIED
  }

  private static final class Failing extends ForwardingStore {
    private @Nullable Family where;
    private Fault how = Fault.NOT_APPLIED;
    private Runnable beforePublishing = () -> {};
    private boolean isLost;

    Failing(KeyValueStore store) {
      super(store);
    }

    private <T> T set(Family family, Supplier<T> set) {
      if (!family.equals(where)) {
        return set.get();
      }
      if (how == Fault.UNKNOWN_APPLIED) {
        T unused = set.get();
        isLost = true;
      }
      throw new StoreException(
          switch (how) {
            case NOT_APPLIED -> Outcome.NOT_APPLIED;
            case REJECTED -> Outcome.REJECTED;
            default -> Outcome.UNKNOWN;
          },
          "no cells can be set");
    }

    @Override
    public Row get(Family family, byte[] row, Columns columns) {
      if (family.equals(where) && isLost) {
        throw new StoreException(Outcome.NOT_APPLIED, "it can't be read back");
      }
      return super.get(family, row, columns);
    }

    @Override
    public List<Boolean> createCells(
        Family family, List<byte[]> rows, byte[] qualifier, List<byte[]> values) {
      return set(family, () -> super.createCells(family, rows, qualifier, values));
    }

    @Override
    public boolean compareAndSet(
        Family family,
        byte[] row,
        byte[] qualifier,
        byte @Nullable [] expected,
        byte @Nullable [] update) {
      if (family.equals(UidTables.TABLES.uidIds())) {
        beforePublishing.run();
      }
      return set(family, () -> super.compareAndSet(family, row, qualifier, expected, update));
    }
  }

  private final ModelStore tables = new ModelStore(InstantSource.system());
  private final Failing store = new Failing(tables);
  private final UidTable uids = UidTables.over(store, InstantSource.system());

  private void fail(Family where, Fault how) {
    store.where = where;
    store.how = how;
  }

  private void heal() {
    store.where = null;
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "n" + i).toList();
  }

  /** Of all UIDs that have a name. */
  private List<String> reverse() {
    List<String> names = new ArrayList<>();
    try (RowCursor rows = tables.scan(UidTables.TABLES.uidNames(), Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        byte[] name = Objects.requireNonNull(row.find(KIND.qualifierBytes()));
        names.add(new String(name, StandardCharsets.ISO_8859_1));
      }
    }
    return names;
  }

  /** A name whose forward cell was set is found by the next attempt. */
  private static Stream<Arguments> faults() {
    return Stream.of(UidTables.TABLES.uidIds(), UidTables.TABLES.uidNames())
        .flatMap(where -> Stream.of(Fault.values()).map(how -> Arguments.of(where, how)))
        .filter(
            fault ->
                !fault.get()[0].equals(UidTables.TABLES.uidIds())
                    || fault.get()[1] != Fault.UNKNOWN_APPLIED);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void eachNameGetsTheNumberOfItsFirstAttempt(Family where, Fault how) {
    List<String> names = names(30);
    fail(where, how);
    for (int i = 0; i < ATTEMPTS; i++) {
      for (List<String> some : List.of(names.subList(0, 20), names.subList(10, 30))) {
        assertThatThrownBy(() -> uids.uidsForWriting(KIND, some))
            .isInstanceOf(StoreException.class);
      }
      String one = names.get(i);
      assertThatThrownBy(() -> uids.uidForWriting(KIND, one)).isInstanceOf(StoreException.class);
    }
    heal();

    assertThat(uids.uidsForWriting(KIND, names)).hasSize(30);
    assertThat(reverse()).containsExactlyInAnyOrderElementsOf(names);
    assertThat(uids.usage(KIND).assigned()).isEqualTo(30);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aNameByItselfGetsTheNumberOfItsFirstAttempt(Family where, Fault how) {
    List<String> names = names(3);
    fail(where, how);
    for (int i = 0; i < ATTEMPTS; i++) {
      for (String name : names) {
        assertThatThrownBy(() -> uids.uidForWriting(KIND, name)).isInstanceOf(StoreException.class);
      }
    }
    heal();

    List<String> reversed = new ArrayList<>(names);
    Collections.reverse(reversed);
    reversed.forEach(name -> uids.uidForWriting(KIND, name));
    assertThat(reverse()).containsExactlyInAnyOrderElementsOf(names);
    assertThat(uids.usage(KIND).assigned()).isEqualTo(3);
  }

  /** Rows may have been written with the number under the name that was deleted. */
  @Test
  void aNameThatWasPublishedAndDeletedGetsAnotherNumber() {
    fail(UidTables.TABLES.uidIds(), Fault.UNKNOWN_APPLIED);
    assertThatThrownBy(() -> uids.uidForWriting(KIND, "n")).isInstanceOf(StoreException.class);
    heal();
    UidTable others = UidTables.over(tables, InstantSource.system());
    byte[] first = others.uidForWriting(KIND, "n");
    others.delete(KIND, "n");

    assertThat(uids.uidForWriting(KIND, "n")).isNotEqualTo(first);
  }

  @Test
  void aNameThatWasPublishedAndRenamedGetsAnotherNumber() {
    fail(UidTables.TABLES.uidIds(), Fault.UNKNOWN_APPLIED);
    assertThatThrownBy(() -> uids.uidForWriting(KIND, "n")).isInstanceOf(StoreException.class);
    heal();
    UidTable others = UidTables.over(tables, InstantSource.system());
    byte[] first = others.uidForWriting(KIND, "n");
    others.rename(KIND, "n", "other");

    assertThat(uids.uidForWriting(KIND, "n")).isNotEqualTo(first);
    assertThat(uids.name(KIND, first)).isEqualTo("other");
  }

  @Test
  void aNameThatIsDeletedWhileItIsPublishedAgainGetsAnotherNumber() {
    fail(UidTables.TABLES.uidIds(), Fault.UNKNOWN_NOT_APPLIED);
    assertThatThrownBy(() -> uids.uidForWriting(KIND, "n")).isInstanceOf(StoreException.class);
    heal();
    UidTable others = UidTables.over(tables, InstantSource.system());
    byte[] first = {0, 0, 1};
    store.beforePublishing =
        () -> {
          store.beforePublishing = () -> {};
          byte[] name = "n".getBytes(StandardCharsets.US_ASCII);
          tables.compareAndSet(
              UidTables.TABLES.uidIds(), name, KIND.qualifierBytes(), null, first); // late
          others.delete(KIND, "n");
        };

    byte[] second = uids.uidForWriting(KIND, "n");
    assertThat(second).isNotEqualTo(first);
    assertThat(UidTables.over(tables, InstantSource.system()).uid(KIND, "n")).isEqualTo(second);
  }

  /** More names than are remembered must not use up numbers again by each attempt. */
  @ParameterizedTest
  @MethodSource("faults")
  void manyNamesUseUpFewNumbersHoweverOftenTheyAreTried(Family where, Fault how) {
    List<List<String>> batches = Lists.partition(names(30_000), 1000);
    fail(where, how);
    for (int i = 0; i < 3; i++) {
      for (List<String> batch : batches) {
        assertThatThrownBy(() -> uids.uidsForWriting(KIND, batch))
            .isInstanceOf(StoreException.class);
      }
    }
    heal();
    assertThat(uids.usage(KIND).assigned()).isLessThanOrEqualTo(20_000);

    batches.forEach(batch -> assertThat(uids.uidsForWriting(KIND, batch)).hasSize(1000));
    assertThat(reverse()).hasSize(30_000).doesNotHaveDuplicates();
    assertThat(uids.usage(KIND).assigned()).isEqualTo(30_000);
  }

  /** By one call, as names are assigned by a request. */
  @Test
  void manyNamesTogetherUseUpFewNumbersHoweverOftenTheyAreTried() {
    List<String> names = names(30_000);
    fail(UidTables.TABLES.uidNames(), Fault.UNKNOWN_APPLIED);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> uids.uidsForWriting(KIND, names)).isInstanceOf(StoreException.class);
    }
    heal();
    assertThat(uids.usage(KIND).assigned()).isLessThanOrEqualTo(20_000);
    assertThat(uids.uidsForWriting(KIND, names)).hasSize(30_000);
    assertThat(uids.usage(KIND).assigned()).isEqualTo(30_000);
  }

  /** Names that are never tried again leave their place to others. */
  @Test
  void numbersOfNamesThatAreNotTriedAgainArePublished() {
    fail(UidTables.TABLES.uidIds(), Fault.UNKNOWN_NOT_APPLIED);
    for (List<String> batch : Lists.partition(names(12_000), 1000)) {
      assertThatThrownBy(() -> uids.uidsForWriting(KIND, batch)).isInstanceOf(StoreException.class);
    }
    heal();
    List<String> others = IntStream.range(0, 3000).mapToObj(i -> "other" + i).toList();
    assertThat(uids.uidsForWriting(KIND, others)).hasSize(3000);
    assertThat(reverse()).hasSizeLessThanOrEqualTo(13_000).containsAll(others).contains("n0", "n9");
    assertThat(uids.uid(KIND, "n0")).containsExactly(0, 0, 1);
  }
}
