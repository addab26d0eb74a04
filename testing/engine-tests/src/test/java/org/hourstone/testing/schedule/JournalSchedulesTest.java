package org.hourstone.testing.schedule;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.rewrite.CompactionOutcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The journal of a writer to a shared store, which is taken over by others while it lives, is
 * paused or dies, and whose row others compact: pairs with a failing call or a crash, and three
 * actors without. See {@link JournalWorld} and {@link Explorer}.
 */
final class JournalSchedulesTest {
  private static final Explorer EXPLORER = new Explorer(10);

  /** Of three actors, which need many. */
  private static final Explorer SHALLOW = new Explorer(8);

  /** Takeovers are logged, one in each of many schedules. */
  private static final Logger LOG = Logger.getLogger("org.hourstone.head");

  @BeforeAll
  static void logNothing() {
    LOG.setLevel(Level.OFF);
  }

  /** Other tests of the process expect what is logged. */
  @AfterAll
  static void logAgain() {
    LOG.setLevel(null);
  }

  /** Adds an actor to a world. */
  private record Part(String name, Consumer<JournalWorld> add) {}

  /** It goes on after its first row is sealed. */
  private static final Part WRITER =
      new Part(
          "writer",
          world ->
              world.writer(
                  steps -> {
                    steps.put(0, 11);
                    steps.seal();
                    steps.put(0, 12);
                  }));

  /** Its row may be sealed late. */
  private static final Part SEALER =
      new Part(
          "sealer",
          world ->
              world.writer(
                  steps -> {
                    steps.put(0, 11);
                    steps.put(1, 12);
                    steps.seal();
                  }));

  private static final Part TAKER = new Part("taker", world -> world.taker("taker", 0, 31));
  private static final Part OTHER = new Part("other", world -> world.taker("other", 1, 41));

  private static final Part RESTART =
      new Part("restart", world -> world.restart("restart", steps -> steps.put(0, 21)));

  /** Its correction is in the journal while others write to the row and compact it. */
  private static final Part CORRECTOR =
      new Part(
          "corrector",
          world ->
              world.writer(
                  steps -> {
                    steps.put(0, 11);
                    steps.seal();
                    steps.renew();
                    steps.put(1, 12);
                  }));

  /** It says until when its rows are sealed while one is open; the second time of a later time. */
  private static final Part PUBLISHER =
      new Part(
          "publisher",
          world ->
              world.writer(
                  steps -> {
                    steps.put(0, 11);
                    steps.renew();
                    steps.renew();
                    steps.seal();
                  }));

  private static final Part NEWCOMER =
      new Part(
          "newcomer",
          world ->
              world.newcomer(
                  "newcomer",
                  steps -> {
                    steps.put(0, 61);
                    steps.seal();
                  }));

  private static final Part COMPACTOR =
      new Part("compactor", world -> world.compactor("compactor", 2, 51, true));

  /** It compacts when its row is quiet by the clock of the row's server. */
  private static final Part HASTY =
      new Part("hasty", world -> world.compactor("hasty", 2, 51, false));

  private static final Part NEWCOMER_BEHIND =
      new Part(
          "behind",
          world ->
              world.newcomerBehind(
                  "behind",
                  steps -> {
                    steps.put(0, 61);
                    steps.seal();
                  }));

  /** What compactions have come to in all schedules. */
  private final Set<CompactionOutcome.Kind> outcomes = EnumSet.noneOf(CompactionOutcome.Kind.class);

  @AfterAll
  static void total() {
    EXPLORER.printTotal("journals");
    assertThat(EXPLORER.total()).isGreaterThanOrEqualTo(EXPLORER.isBounded() ? 0 : 50_000);
  }

  @TestFactory
  List<DynamicTest> pairs() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Personality personality : Personality.values()) {
      for (Part writer : List.of(WRITER, SEALER)) {
        tests.add(test(EXPLORER, List.of(writer, TAKER), 1, personality));
        tests.add(test(EXPLORER, List.of(writer, RESTART), 1, personality));
      }
    }
    return tests;
  }

  @ParameterizedTest
  @EnumSource
  void compactions(Personality personality) {
    for (Part writer : List.of(CORRECTOR, PUBLISHER, NEWCOMER)) {
      play(EXPLORER, List.of(COMPACTOR, writer), 1, personality);
    }
    for (Part compactor : List.of(COMPACTOR, HASTY)) {
      play(EXPLORER, List.of(compactor, NEWCOMER_BEHIND), 1, personality);
    }
    play(SHALLOW, List.of(COMPACTOR, SEALER, RESTART), 0, personality);

    if (!EXPLORER.isBounded()) {
      assertThat(outcomes)
          .contains(CompactionOutcome.Kind.REWRITTEN, CompactionOutcome.Kind.TOO_EARLY);
    }
  }

  @TestFactory
  List<DynamicTest> threes() {
    return List.of(
        test(SHALLOW, List.of(SEALER, TAKER, OTHER), 0, Personality.EXACT),
        test(SHALLOW, List.of(SEALER, TAKER, RESTART), 0, Personality.EXACT));
  }

  private DynamicTest test(
      Explorer explorer, List<Part> parts, int faults, Personality personality) {
    return DynamicTest.dynamicTest(
        name(parts, personality), () -> play(explorer, parts, faults, personality));
  }

  private static String name(List<Part> parts, Personality personality) {
    return "journal-"
        + parts.stream().map(Part::name).collect(Collectors.joining("+"))
        + "-"
        + personality;
  }

  private void play(Explorer explorer, List<Part> parts, int faults, Personality personality) {
    explore(explorer, name(parts, personality), parts, faults, personality, Map.of());
  }

  private void explore(
      Explorer explorer,
      String name,
      List<Part> parts,
      int faults,
      Personality personality,
      Map<String, UnaryOperator<KeyValueStore>> inserted) {
    explorer.explore(
        name,
        faults,
        () -> {
          JournalWorld world = new JournalWorld(personality, inserted, outcomes);
          parts.forEach(part -> part.add().accept(world));
          return world;
        });
  }

  /** A record is put whether its place is free or not. */
  @Test
  void recordsWithoutAConditionAreFound() {
    assertIsFound(
        "unconditional",
        List.of(WRITER, TAKER),
        "writer",
        store ->
            new ForwardingStore(store) {
              @Override
              public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
                Cell cell = replacement.get(0);
                put(family, observed.key(), cell.qualifier(), cell.value());
                return true;
              }
            });
  }

  /** A taker reads the log of a writer that goes on. */
  @Test
  void aTakeoverWithoutAFenceIsFound() {
    assertIsFound(
        "unfenced",
        List.of(WRITER, RESTART),
        "restart",
        store ->
            new ForwardingStore(store) {
              @Override
              public RowCursor scan(Family family, Scan scan) {
                RowCursor cursor = super.scan(family, scan);
                return scan.start()[0] == 2 ? new Fenced(cursor) : cursor;
              }
            });
  }

  /** Rows, and a fence after them that is not there. */
  private static final class Fenced implements RowCursor {
    private final RowCursor rows;
    private boolean ended;

    Fenced(RowCursor rows) {
      this.rows = rows;
    }

    @Override
    public @Nullable Row next() {
      Row row = ended ? null : rows.next();
      if (row == null && !ended) {
        ended = true;
        byte[][] fence = {{'F'}};
        return Row.of(new byte[] {2}, new byte[][] {{'r'}}, fence, new long[] {0});
      }
      return row;
    }

    @Override
    public void close() {
      rows.close();
    }
  }

  /** A row that is sealed late replaces what was put since. */
  @Test
  void rowsThatAreDatedWhenTheyAreSealedAreFound() {
    assertIsFound(
        "undated",
        List.of(SEALER, TAKER),
        "writer",
        store ->
            new ForwardingStore(store) {
              @Override
              public void mutate(Family family, List<RowMutation> batch) {
                super.mutate(family, batch.stream().map(JournalSchedulesTest::undated).toList());
              }
            });
  }

  /** A compaction that does not know of journals: it reads that there are none. */
  @Test
  void aCompactionRegardlessOfJournalsIsFound() {
    assertIsFound(
        "regardless",
        List.of(COMPACTOR, PUBLISHER),
        "compactor",
        store ->
            new ForwardingStore(store) {
              @Override
              public RowCursor scan(Family family, Scan scan) {
                return super.scan(family, Scan.range(new byte[] {9}, new byte[] {10}));
              }
            });
  }

  /** A writer that says that all is sealed while a row is open. */
  @Test
  void aTimeThatLeavesOpenRowsOutIsFound() {
    assertIsFound(
        "untrue",
        List.of(COMPACTOR, PUBLISHER),
        "writer",
        store ->
            new ForwardingStore(store) {
              @Override
              public boolean compareAndSet(
                  Family family,
                  byte[] row,
                  byte[] qualifier,
                  byte @Nullable [] expected,
                  byte @Nullable [] update) {
                byte[] untrue = requireNonNull(update).clone();
                Arrays.fill(untrue, untrue.length - 6, untrue.length, (byte) 0xFF);
                return super.compareAndSet(family, row, qualifier, expected, untrue);
              }
            });
  }

  /**
   * A compaction of cells that were read before it was known that the writer has sealed its row.
   */
  @Test
  void aCompactionOfCellsThatWereReadBeforeIsFound() {
    assertIsFound(
        "before",
        List.of(COMPACTOR, CORRECTOR),
        "compactor",
        store ->
            new ForwardingStore(store) {
              private @Nullable Row first;

              @Override
              public Row get(Family family, byte[] row, Columns columns) {
                if (first == null) {
                  first = super.get(family, row, columns);
                }
                return first;
              }
            });
  }

  private static RowMutation undated(RowMutation mutation) {
    return new RowMutation(
        mutation.row(),
        mutation.changes().stream()
            .map(
                change ->
                    change instanceof Change.PutIfNewer put
                        ? new Change.Put(put.qualifier(), put.value())
                        : change)
            .toList());
  }

  private void assertIsFound(
      String name, List<Part> parts, String actor, UnaryOperator<KeyValueStore> fault) {
    if (!EXPLORER.isBounded()) {
      assertThatThrownBy(
              () ->
                  explore(
                      EXPLORER,
                      "journal-" + name,
                      parts,
                      0,
                      Personality.EXACT,
                      Map.of(actor, fault)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("schedule");
    }
  }
}
