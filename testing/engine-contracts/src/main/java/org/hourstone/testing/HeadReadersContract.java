package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.head.Acknowledgement;
import org.hourstone.index.SeriesPattern;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.query.LastPoint;
import org.hourstone.query.Query;
import org.hourstone.rewrite.Keep;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.tool.Admin;
import org.hourstone.tool.FsckOptions;
import org.hourstone.tool.FsckReport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every reader includes the points of the head, without a flush before: also one that can't write,
 * and that finds the journal of a process that has died.
 */
public abstract class HeadReadersContract extends HeadCase {
  private static final Tags WEB02 = Tags.of("host", "web02");

  /** Of these, the first one is stored. */
  private static final Map<Instant, Double> OF_WEB01 = Map.of(HOUR, 1.0, HOUR.plusSeconds(1), 2.0);

  private static final Map<Instant, Double> OF_WEB02 = Map.of(HOUR.plusSeconds(2), 3.0);

  @BeforeEach
  final void putPoints() {
    db.put("m", HOUR, 1, WEB01).join();
    db.flush();
    db.put("m", HOUR.plusSeconds(1), -1, WEB01).join();
    db.put("m", HOUR.plusSeconds(1), 2, WEB01).join();
    db.put("m", HOUR.plusSeconds(2), 3, WEB02).join();

    assertThat(dataRows()).hasSize(1).allSatisfy(row -> assertThat(row.size()).isEqualTo(1));
  }

  private static Query between(Instant start, Instant end) {
    return Query.metric("m").betweenMillis(start.toEpochMilli(), end.toEpochMilli());
  }

  private void isLast(Tags tags, Instant time, double value) {
    assertThat(db.last().find("m", tags.asMap(), 0))
        .get()
        .extracting(LastPoint::millis, LastPoint::doubleValue)
        .containsExactly(time.toEpochMilli(), value);
  }

  @Test
  final void theLastPointOfASeriesIsAnOpenOne() {
    isLast(WEB01, HOUR.plusSeconds(1), 2);
    isLast(WEB02, HOUR.plusSeconds(2), 3);
    assertThat(dataRows()).as("open rows stay open").hasSize(1);
  }

  @Test
  final void aSeriesWithOpenPointsOnlyIsFoundWithoutAnIndex() {
    List<String> found = new ArrayList<>();
    db.lookup()
        .findInData(
            SeriesPattern.parse("m"), 10, tsuid -> found.add(HexFormat.of().formatHex(tsuid)));

    assertThat(found)
        .containsExactlyInAnyOrder(
            HexFormat.of().formatHex(db.writer().series("m", WEB01.asMap()).tsuid()),
            HexFormat.of().formatHex(db.writer().series("m", WEB02.asMap()).tsuid()));
  }

  @Test
  final void scanShowsThemAsLinesForImport() {
    assertThat(importLines())
        .containsExactlyInAnyOrder(
            "m 1356998400 1 host=web01", "m 1356998401 2 host=web01", "m 1356998402 3 host=web02");
  }

  /** Lines of the rows that {@code scan} reads. */
  private List<String> importLines() {
    List<String> lines = new ArrayList<>();
    Query query = between(HOUR, HOUR.plusSeconds(10));
    for (Scan scan : db.engine().queries().select(query).scans()) {
      for (Row row : rows(db.engine().sealedStore(), db.engine().tables().points(), scan)) {
        lines.addAll(Admin.of(db).importLines().of(row).lines());
      }
    }
    return lines;
  }

  @Test
  final void fsckCountsThemAndFindsNoFault() {
    FsckCase.Findings findings = new FsckCase.Findings();
    FsckOptions preview = new FsckOptions(false, Set.of(), Keep.NEWEST, 1);

    FsckReport report = Admin.of(db).fsck(preview, findings).fullScan(null);

    assertThat(report.rows()).isEqualTo(2);
    assertThat(report.points()).isEqualTo(3);
    assertThat(findings.texts()).isEmpty();
    assertThat(report.errors()).isZero();
  }

  @Test
  final void aCopyHasThem() {
    try (KeyValueStore there = new ModelStore(fixture.clock());
        Tsdb copy = Tsdb.over(there, options().with(Settings.HEAD, "false"))) {
      CopyCase.copy(db, copy);

      assertThat(points(copy, "m", WEB01)).isEqualTo(OF_WEB01);
      assertThat(points(copy, "m", WEB02)).isEqualTo(OF_WEB02);
    }
  }

  @Test
  final void aDeletionFindsThem() {
    assertThat(db.delete(between(HOUR.plusSeconds(1), HOUR.plusSeconds(2)))).isEqualTo(2);

    assertThat(points("m", WEB01)).isEqualTo(Map.of(HOUR, 1.0));
    assertThat(points("m", WEB02)).isEmpty();
    die(options());
    assertThat(points("m", WEB01)).isEqualTo(Map.of(HOUR, 1.0));
    assertThat(points("m", WEB02)).isEmpty();
  }

  @Test
  final void withoutADatabaseTheJournalIsReadAsTheCellsThatSealingWrites() {
    die();
    Map<String, List<String>> stored = tables();
    Family points = db.engine().tables().points();

    List<String> shown = texts(rows(Tsdb.withJournal(store, options()), points, Scan.all()));

    assertThat(tables()).as("what is stored").isEqualTo(stored);
    db = Tsdb.over(store, options().with(Settings.HEAD, "false"));
    assertThat(shown).hasSize(3).isEqualTo(texts(dataRows()));
  }

  @Test
  final void aDatabaseOverAStoreToReadShowsTheJournalOfADeadProcessAndChangesNothing() {
    die();
    Map<String, List<String>> stored = tables();
    db = Tsdb.over(new ReadOnlyStore(store), options());

    assertThat(points("m", WEB01)).isEqualTo(OF_WEB01);
    assertThat(points("m", WEB02)).isEqualTo(OF_WEB02);
    isLast(WEB02, HOUR.plusSeconds(2), 3);
    assertThat(importLines()).hasSize(3);
    assertThat(db.engine().acknowledgement())
        .as("a head that takes points")
        .isNotEqualTo(Acknowledgement.JOURNAL);
    assertThatThrownBy(() -> db.put("m", HOUR, 9, WEB01).join())
        .hasRootCauseInstanceOf(StoreException.class)
        .hasMessageContaining(ReadOnlyStore.REFUSAL);
    assertThatThrownBy(() -> db.close()).hasMessageContaining(ReadOnlyStore.REFUSAL);

    assertThat(tables()).as("what is stored").isEqualTo(stored);
    db = Tsdb.over(store, options());
    assertThat(points("m", WEB01)).isEqualTo(OF_WEB01);
    assertThat(points("m", WEB02)).isEqualTo(OF_WEB02);
  }

  /** All cells of all tables. */
  private Map<String, List<String>> tables() {
    Map<String, List<String>> tables = new LinkedHashMap<>();
    for (Family family : store.families()) {
      tables.put(family.toString(), texts(rows(family)));
    }
    return tables;
  }

  /** A store that is opened to be read. */
  private static final class ReadOnlyStore extends ForwardingStore {
    private static final String REFUSAL = "the store is only read";

    ReadOnlyStore(KeyValueStore delegate) {
      super(delegate);
    }

    private static StoreException refusal() {
      return new StoreException(Outcome.REJECTED, REFUSAL);
    }

    @Override
    public void ensure(Collection<FamilySpec> families, SchemaMode mode) {
      super.ensure(families, SchemaMode.VERIFY);
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      throw refusal();
    }

    @Override
    public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
      throw refusal();
    }

    @Override
    public boolean compareAndSet(
        Family family,
        byte[] row,
        byte[] qualifier,
        byte @Nullable [] expected,
        byte @Nullable [] update) {
      throw refusal();
    }

    @Override
    public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
      throw refusal();
    }

    /** The store behind stays open. */
    @Override
    public void close() {}
  }
}
