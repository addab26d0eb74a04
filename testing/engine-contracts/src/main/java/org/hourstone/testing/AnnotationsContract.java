package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.annotation.Annotation;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.RequestException;
import org.hourstone.internal.UidText;
import org.hourstone.kv.Columns;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.ConcurrentRunner;
import org.hourstone.testkit.StoreFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Annotations over a store. */
public abstract class AnnotationsContract {
  /** 2017-07-14T03:00:00Z, the start of an hour. */
  private static final long HOUR = 1_500_001_200;

  private static final String SERIES = "000001000001000001";
  private static final String GLOBAL = "";

  @TempDir private Path directory;
  private KeyValueStore store;
  private Tsdb db;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @BeforeEach
  final void openDatabase() {
    store = open(StoreFixture.in(directory, 1));
    db = Tsdb.over(store, TsdbOptions.defaults().with(Settings.CREATE_TABLES, "true"));
  }

  @AfterEach
  final void closeDatabase() {
    db.close();
    store.close();
  }

  private void useInstead(TsdbOptions options) {
    db.close();
    db = Tsdb.over(store, options.with(Settings.CREATE_TABLES, "true"));
  }

  private static Annotation note(String tsuid, long start, String description) {
    return new Annotation(tsuid, start, 0, description, "", null);
  }

  private Annotation save(Annotation annotation) {
    return db.annotations().save(annotation, false).orElseThrow();
  }

  @Test
  final void anAnnotationIsFoundByItsSeriesAndItsStart() {
    Annotation note =
        new Annotation(SERIES, HOUR + 5, HOUR + 9, "Deploy", "né", Map.of("z", "1", "b", "2"));
    assertThat(save(note)).isEqualTo(note);
    assertThat(db.annotations().get(SERIES, HOUR + 5)).isEqualTo(note);
    assertThat(db.annotations().get(SERIES, HOUR + 6)).isNull();
    assertThat(db.annotations().get(GLOBAL, HOUR + 5)).isNull();
  }

  @Test
  final void fieldsAreStoredInTheirOrder() {
    save(new Annotation(SERIES, HOUR + 5, 0, "Deploy", "né", Map.of("z", "1", "b", "2")));
    Row row = onlyRow();
    assertThat(HexFormat.of().formatHex(row.key())).isEqualTo("000001596833b0000001000001");
    assertThat(HexFormat.of().formatHex(row.qualifier(0))).isEqualTo("010005");
    assertThat(new String(row.value(0), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"tsuid\":\"000001000001000001\",\"startTime\":1500001205,\"endTime\":0,"
                + "\"description\":\"Deploy\",\"notes\":\"né\",\"custom\":{\"b\":\"2\",\"z\":\"1\"}}");
  }

  @Test
  final void whatIsNotSaidStaysUnlessAllIsOverwritten() {
    save(new Annotation(SERIES, HOUR, HOUR + 9, "Deploy", "long", Map.of("by", "me")));
    assertThat(save(note(SERIES, HOUR, "Rollback")))
        .isEqualTo(new Annotation(SERIES, HOUR, HOUR + 9, "Rollback", "long", Map.of("by", "me")));
    assertThat(db.annotations().save(note(SERIES, HOUR, "Again"), true))
        .contains(note(SERIES, HOUR, "Again"));
  }

  @Test
  final void anAnnotationThatIsDeletedAndSavedAgainAtOnceIsStored() {
    Annotation note = note(GLOBAL, HOUR, "Deploy");
    for (int i = 0; i < 50; i++) {
      assertThat(save(note)).isEqualTo(note);
      assertThat(db.annotations().get(GLOBAL, HOUR)).isEqualTo(note);
      db.annotations().delete(GLOBAL, HOUR);
      assertThat(db.annotations().get(GLOBAL, HOUR)).isNull();
    }
  }

  @Test
  final void anAnnotationThatSaysNothingChangesNothing() {
    assertThat(db.annotations().save(note(SERIES, HOUR, ""), true)).isEmpty();
    assertThatThrownBy(() -> db.annotations().save(note(SERIES, 0, "x"), true))
        .isInstanceOf(RequestException.class)
        .hasMessage("The start timestamp has not been set");
    assertThatThrownBy(() -> save(note("00000100", HOUR, "x")))
        .isInstanceOf(RequestException.class)
        .hasMessageContaining("'00000100' is not a TSUID");
  }

  @Test
  final void aWholeSecondIsOneAnnotationInEitherUnit() {
    save(note(GLOBAL, (HOUR + 5) * 1000, "in milliseconds"));
    assertThat(save(new Annotation(GLOBAL, HOUR + 5, 0, "", "in seconds", null)))
        .isEqualTo(new Annotation(GLOBAL, HOUR + 5, 0, "in milliseconds", "in seconds", null));
    assertThat(db.annotations().global(HOUR, HOUR + 10)).hasSize(1);
  }

  @Test
  final void aStartInSecondsThatThousandDividesIsFoundByItsOwnTime() {
    long start = 1_328_141_000;
    save(note(SERIES, start, "odd"));
    assertThat(HexFormat.of().formatHex(onlyRow().qualifier(0))).isEqualTo("010d0d");
    assertThat(db.annotations().get(SERIES, start)).isEqualTo(note(SERIES, start, "odd"));
    byte[] tsuid = UidText.parse(SERIES);
    assertThat(db.annotations().ofSeries(tsuid, start * 1000, start * 1000)).hasSize(1);
    assertThat(db.annotations().deleteOfSeries(SERIES, start * 1000, start * 1000)).isEqualTo(1);
    assertThat(db.annotations().get(SERIES, start)).isNull();
  }

  @Test
  final void rangesAreOfTimeWhateverTheUnit() {
    save(note(GLOBAL, HOUR + 1, "s"));
    save(new Annotation(GLOBAL, HOUR * 1000 + 1500, HOUR * 1000 + 9000, "ms", "", null));
    save(note(GLOBAL, HOUR + 3000, "later in the hour"));
    save(note(GLOBAL, HOUR + 3600, "next hour"));
    assertThat(descriptions(db.annotations().global(HOUR, HOUR + 2)))
        .containsExactlyInAnyOrder("s", "ms");
    assertThat(descriptions(db.annotations().global(HOUR * 1000 + 1001, HOUR * 1000 + 1500)))
        .containsExactly("ms");
    assertThat(db.annotations().global(HOUR, 9_999_999_999_999L)).hasSize(4);
  }

  @Test
  final void aDeletedRangeTakesItsAnnotationsOfEverySaltAndNothingElse() {
    useInstead(TsdbOptions.defaults().with(Settings.SALT_WIDTH, "1"));
    List<String> series = new ArrayList<>();
    for (int host = 1; host <= 30; host++) {
      db.put("m", Instant.ofEpochSecond(HOUR), host, Tags.of("host", "h" + host)).join();
      series.add(String.format("000001000001%06X", host));
    }
    for (String tsuid : series) {
      save(note(tsuid, HOUR + 1, "first"));
      save(note(tsuid, HOUR + 3601, "second"));
      save(note(tsuid, HOUR + 7201, "third"));
    }
    for (String tsuid : series) {
      assertThat(db.annotations().deleteOfSeries(tsuid, HOUR * 1000, (HOUR + 7200) * 1000))
          .isEqualTo(2);
      List<Annotation> left =
          db.annotations().ofSeries(UidText.parse(tsuid), HOUR * 1000, (HOUR + 9000) * 1000);
      assertThat(descriptions(left)).containsExactly("third");
    }
    Query all =
        Query.parse("count:m")
            .between(Instant.ofEpochSecond(HOUR), Instant.ofEpochSecond(HOUR + 1));
    try (SeriesCursor found = db.query(all)) {
      found.forEach(group -> assertThat(group.doubleValue(0)).isEqualTo(30));
    }
  }

  @Test
  final void aRangeOfYearsHasTheAnnotationsOfItsSeriesOnly() {
    String other = "000001000001000002";
    long year = 365 * 24 * 3600;
    save(note(SERIES, HOUR, "first"));
    save(note(other, HOUR, "of another series"));
    save(note(SERIES, HOUR + year, "second"));
    save(note(SERIES, HOUR + 2 * year, "third"));
    byte[] tsuid = UidText.parse(SERIES);
    long to = (HOUR + 2 * year - 1) * 1000;

    assertThat(descriptions(db.annotations().ofSeries(tsuid, 0, to)))
        .containsExactly("first", "second");
    assertThat(db.annotations().deleteOfSeries(SERIES, HOUR * 1000, to)).isEqualTo(2);
    assertThat(descriptions(db.annotations().ofSeries(tsuid, 1, Long.MAX_VALUE / 2)))
        .containsExactly("third");
    assertThat(db.annotations().get(other, HOUR)).isNotNull();
  }

  @Test
  final void changesOfDifferentFieldsAtOnceAreAllKept() throws Exception {
    save(note(SERIES, HOUR, "begun"));
    List<Callable<Object>> writers = new ArrayList<>();
    writers.add(() -> change(i -> new Annotation(SERIES, HOUR, 0, "d" + i, "", null)));
    writers.add(() -> change(i -> new Annotation(SERIES, HOUR, 0, "", "n" + i, null)));
    writers.add(() -> change(i -> new Annotation(SERIES, HOUR, HOUR + i, "", "", null)));
    ConcurrentRunner.run(writers);
    assertThat(db.annotations().get(SERIES, HOUR))
        .isEqualTo(new Annotation(SERIES, HOUR, HOUR + 20, "d20", "n20", null));
  }

  private Object change(IntFunction<Annotation> to) {
    IntStream.rangeClosed(1, 20).forEach(i -> save(to.apply(i)));
    return true;
  }

  @Test
  final void aValueOfAnotherWriterIsReadAndChanged() {
    save(note(SERIES, HOUR, "x"));
    Row row = onlyRow();
    store.put(
        db.engine().tables().points(),
        row.key(),
        row.qualifier(0),
        "{\"notes\":\"theirs\", \"more\":[1], \"startTime\":1500001200,\"tsuid\":\"000001000001000001\"}"
            .getBytes(StandardCharsets.UTF_8));
    assertThat(save(note(SERIES, HOUR, "ours")))
        .isEqualTo(new Annotation(SERIES, HOUR, 0, "ours", "theirs", null));
  }

  @Test
  final void aCorruptValueIsNamedByItsRow() {
    save(note(SERIES, HOUR, "x"));
    Row row = onlyRow();
    store.put(db.engine().tables().points(), row.key(), row.qualifier(0), new byte[] {'{', 1});
    assertThatThrownBy(() -> db.annotations().get(SERIES, HOUR))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("row 000001596833b0000001000001 of tsdb:t");
  }

  private static List<String> descriptions(List<Annotation> annotations) {
    return annotations.stream().map(Annotation::description).toList();
  }

  private Row onlyRow() {
    try (RowCursor rows =
        store.scan(db.engine().tables().points(), Scan.all().columns(Columns.all()))) {
      Row row = rows.next();
      if (row == null || rows.next() != null) {
        throw new AssertionError("not exactly one row");
      }
      return row;
    }
  }
}
