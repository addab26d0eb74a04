package org.hourstone.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.TagPair;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The bitmaps answer as going through all series would. */
class MetricSeriesTest {
  private static final List<Schema> SCHEMAS =
      List.of(Schema.DEFAULT, new Schema(2, 1, 4, 1, 7, 8), new Schema(8, 8, 8, 0, 1, 8));

  @Test
  void demandsAreMetByTheSeriesThatMeetThemOneByOne() {
    for (long seed = 1; seed <= 150; seed++) {
      Model model = new Model(seed);
      model.addSome();
      for (int i = 0; i < 12; i++) {
        model.compare(model.conditions());
      }
      model.addSome(); // now not in the order of their bytes
      for (int i = 0; i < 12; i++) {
        model.compare(model.conditions());
      }
      assertThat(texts(model.series.inOrder().match(List.of())))
          .describedAs("seed %d", seed)
          .isEqualTo(texts(model.series.match(List.of())));
    }
  }

  @Test
  void valuesAreCounted() {
    for (long seed = 1; seed <= 30; seed++) {
      Model model = new Model(seed);
      model.addSome();
      MetricCardinality counted = model.series.cardinality(3);
      assertThat(counted.series()).isEqualTo(model.all.size());
      int tagks = 0;
      for (int k = 0; k < Model.TAGKS; k++) {
        byte[] tagk = model.tagk(k);
        List<byte[]> having = model.all.stream().filter(s -> model.value(s, tagk) != null).toList();
        TagCardinality one = model.series.cardinality(tagk, Integer.MAX_VALUE);
        if (having.isEmpty() || one == null) {
          assertThat(having).isEmpty();
          assertThat(one).isNull();
          continue;
        }
        tagks++;
        TreeMap<String, Integer> values = new TreeMap<>();
        having.forEach(
            s -> values.merge(hex(Objects.requireNonNull(model.value(s, tagk))), 1, Integer::sum));
        assertThat(one.series()).isEqualTo(having.size());
        assertThat(one.values()).isEqualTo(values.size());
        assertThat(one.top().stream().map(v -> hex(v.tagv()) + "=" + v.series()).toList())
            .describedAs("seed %d", seed)
            .isEqualTo(
                values.entrySet().stream()
                    .sorted(
                        Comparator.comparing((Map.Entry<String, Integer> e) -> -e.getValue())
                            .thenComparing(Map.Entry::getKey))
                    .map(e -> e.getKey() + "=" + e.getValue())
                    .toList());
      }
      assertThat(counted.tags()).hasSize(tagks);
      assertThat(counted.tags()).allSatisfy(tag -> assertThat(tag.top()).hasSizeLessThan(4));
    }
  }

  @Test
  void cutsAreSeriesOfTheSetAscendingEachOnce() {
    for (long seed = 1; seed <= 30; seed++) {
      Model model = new Model(seed);
      model.addSome();
      model.addSome(); // not in the order of their bytes
      SeriesSet all = model.series.match(List.of());
      for (int parts = 1; parts < 12; parts++) {
        List<String> cuts = all.cuts(parts).stream().map(MetricSeriesTest::hex).toList();
        assertThat(cuts)
            .describedAs("seed %d, %d parts", seed, parts)
            .hasSize(Math.max(0, Math.min(parts, all.size()) - 1))
            .isSorted()
            .doesNotHaveDuplicates()
            .isSubsetOf(texts(all));
      }
    }
  }

  @Test
  void aSetIsThatOfItsMoment() {
    Model model = new Model(5);
    model.addSome();
    SeriesSet before = model.series.match(List.of());
    List<String> texts = texts(before);
    model.addSome();
    assertThat(texts(before)).isEqualTo(texts);
    assertThat(before.ofMetric()).isEqualTo(texts.size());
  }

  @Test
  void memoryGrowsWithTheSeries() {
    MetricSeries series = new MetricSeries(new byte[3], Schema.DEFAULT);
    RowKey keys = new RowKey(Schema.DEFAULT);
    long before = series.memory();
    for (int i = 0; i < 10_000; i++) {
      byte[] tsuid =
          keys.tsuid(
              new byte[3],
              List.of(
                  new TagPair(new byte[] {0, 0, 1}, UidNumber.bytes(i, 3)),
                  new TagPair(new byte[] {0, 0, 2}, UidNumber.bytes(i % 10, 3))));
      series.add(tsuid, 3, tsuid.length);
    }
    series.optimize();
    assertThat(series.memory() - before).isBetween(10_000L * 12, 10_000L * 100);
  }

  private static List<String> texts(SeriesSet set) {
    List<String> texts = new ArrayList<>();
    set.forEach(tsuid -> texts.add(hex(tsuid)));
    return texts;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** Passes values that are divisible; counts what it tests. */
  private static final class Divisible implements NameTest {
    final int modulus;
    final AtomicBoolean valid = new AtomicBoolean(true);
    int tested;

    Divisible(int modulus) {
      this.modulus = modulus;
    }

    @Override
    public String text() {
      return "divisible by " + modulus;
    }

    @Override
    public BitSet passing(List<byte[]> tagvs) {
      tested += tagvs.size();
      BitSet passing = new BitSet();
      for (int i = 0; i < tagvs.size(); i++) {
        passing.set(i, UidNumber.of(tagvs.get(i)) % modulus == 0);
      }
      return passing;
    }

    @Override
    public BooleanSupplier validity() {
      return valid::get;
    }
  }

  @Test
  void namesAreTestedOnceAndOnlyOfValuesInQuestion() {
    Schema schema = Schema.DEFAULT;
    MetricSeries series = new MetricSeries(new byte[] {0, 0, 1}, schema);
    byte[] host = {0, 0, 1};
    byte[] dc = {0, 0, 2};
    for (int i = 0; i < 5000; i++) {
      byte[] tags = new byte[12];
      System.arraycopy(host, 0, tags, 0, 3);
      System.arraycopy(UidNumber.bytes(i, 3), 0, tags, 3, 3);
      System.arraycopy(dc, 0, tags, 6, 3);
      tags[11] = (byte) (i % 100);
      series.add(tags, 0, tags.length);
    }
    Divisible even = new Divisible(2);
    Condition matching = new Condition.Matching(host, even);
    Condition inSeven = new Condition.AnyOf(dc, List.of(new byte[] {0, 0, 7}));
    Condition inSome =
        new Condition.NoneOf(dc, List.of(new byte[] {0, 0, 0}, new byte[] {0, 0, 1}));

    assertThat(series.match(List.of(matching, inSeven)).size()).isZero();
    assertThat(even.tested).describedAs("those of one dc").isEqualTo(50);
    assertThat(series.match(List.of(inSome, matching)).size()).isEqualTo(2450);
    assertThat(even.tested).describedAs("those of all but two").isEqualTo(4900);
    assertThat(series.match(List.of(matching)).size()).isEqualTo(2500);
    assertThat(series.match(List.of(matching)).size()).isEqualTo(2500);
    assertThat(even.tested).isEqualTo(5000);

    even.valid.set(false); // as after a rename
    assertThat(series.match(List.of(matching)).size()).isEqualTo(2500);
    assertThat(even.tested).isEqualTo(10_000);
  }

  /** A metric with few tag names and values, so that they meet. */
  private static final class Model {
    static final int TAGKS = 4;

    final long seed;
    final Random random;
    final Schema schema;
    final RowKey keys;
    final byte[] metric;
    final MetricSeries series;
    final Set<byte[]> all = new TreeSet<>(Arrays::compareUnsigned);

    Model(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.schema = SCHEMAS.get(random.nextInt(SCHEMAS.size()));
      this.keys = new RowKey(schema);
      this.metric = UidNumber.bytes(random.nextLong(), schema.metricWidth());
      this.series = new MetricSeries(metric, schema);
    }

    byte[] tagk(int i) {
      return UidNumber.bytes(0x80 + i * 3L, schema.tagkWidth());
    }

    byte[] tagv(int i) {
      return UidNumber.bytes(0xF0F0F0F0L * i, schema.tagvWidth());
    }

    void addSome() {
      int count = 1 + random.nextInt(random.nextInt(6) == 0 ? 600 : 40);
      int values = 1 + random.nextInt(30);
      for (int i = 0; i < count; i++) {
        List<TagPair> pairs = new ArrayList<>();
        for (int k = 0; k < TAGKS; k++) {
          if (random.nextBoolean() || (k == TAGKS - 1 && pairs.isEmpty())) {
            pairs.add(new TagPair(tagk(k), tagv(random.nextInt(values))));
          }
        }
        byte[] tsuid = keys.tsuid(metric, pairs);
        all.add(tsuid);
        byte[] padded = new byte[tsuid.length + 2];
        System.arraycopy(tsuid, 0, padded, 1, tsuid.length);
        series.add(padded, 1 + schema.metricWidth(), 1 + tsuid.length);
      }
    }

    List<Condition> conditions() {
      return Stream.generate(this::condition).limit(random.nextInt(4)).toList();
    }

    private Condition condition() {
      byte[] tagk = tagk(random.nextInt(TAGKS + 1)); // one of them is unknown
      return switch (random.nextInt(7)) {
        case 0 -> new Condition.AnyOf(tagk, someValues());
        case 1 -> new Condition.NoneOf(tagk, someValues());
        case 2 -> {
          int modulus = 1 + random.nextInt(3);
          yield new Condition.Matching(tagk, new Divisible(modulus));
        }
        case 3 -> new Condition.Present(tagk);
        case 4 -> new Condition.Absent(tagk);
        case 5 ->
            new Condition.ExactlyKeys(
                Stream.iterate(0, k -> k + 1)
                    .limit(TAGKS)
                    .filter(k -> random.nextBoolean())
                    .map(this::tagk)
                    .toList());
        default -> new Condition.Value(tagv(random.nextInt(12)));
      };
    }

    private List<byte[]> someValues() {
      return Stream.generate(() -> tagv(random.nextInt(12))).limit(random.nextInt(5)).toList();
    }

    void compare(List<Condition> conditions) {
      SeriesSet answer = series.match(conditions);
      List<String> expected =
          all.stream()
              .filter(tsuid -> conditions.stream().allMatch(condition -> meets(tsuid, condition)))
              .map(MetricSeriesTest::hex)
              .toList();
      assertThat(texts(answer)).describedAs("seed %d: %s", seed, conditions).isEqualTo(expected);
      assertThat(answer.size()).isEqualTo(expected.size());
      assertThat(answer.ofMetric()).isEqualTo(all.size());
    }

    byte @Nullable [] value(byte[] tsuid, byte[] tagk) {
      for (TagPair pair : keys.tagsOfTsuid(tsuid)) {
        if (Arrays.equals(pair.tagk(), tagk)) {
          return pair.tagv();
        }
      }
      return null;
    }

    private boolean meets(byte[] tsuid, Condition condition) {
      if (condition instanceof Condition.AnyOf any) {
        byte[] value = value(tsuid, any.tagk());
        return value != null && isAmong(value, any.tagvs());
      }
      if (condition instanceof Condition.NoneOf none) {
        byte[] value = value(tsuid, none.tagk());
        return value != null && !isAmong(value, none.tagvs());
      }
      if (condition instanceof Condition.Matching matching) {
        byte[] value = value(tsuid, matching.tagk());
        return value != null && matching.test().passing(List.of(value)).get(0);
      }
      if (condition instanceof Condition.Present present) {
        return value(tsuid, present.tagk()) != null;
      }
      if (condition instanceof Condition.Absent absent) {
        return value(tsuid, absent.tagk()) == null;
      }
      if (condition instanceof Condition.ExactlyKeys exactly) {
        return keys.tagsOfTsuid(tsuid).size() == exactly.tagks().size()
            && exactly.tagks().stream().allMatch(tagk -> value(tsuid, tagk) != null);
      }
      byte[] wanted = ((Condition.Value) condition).tagv();
      return keys.tagsOfTsuid(tsuid).stream().anyMatch(tag -> Arrays.equals(tag.tagv(), wanted));
    }

    private static boolean isAmong(byte[] value, Iterable<byte[]> values) {
      for (byte[] each : values) {
        if (Arrays.equals(each, value)) {
          return true;
        }
      }
      return false;
    }
  }
}
