package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.hex;
import static org.hourstone.testkit.Binary.trickyKey;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.FuzzyRow;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.RowPattern;
import org.hourstone.kv.Scan;
import org.junit.jupiter.api.Test;

/** A scan keeps exactly the rows its filter's {@code matches} keeps, however a store does it. */
public abstract class FilterContract extends StoreContract {
  @Test
  final void theFilterThatKeepsAllKeepsAll() {
    List<Bytes> keys = putTrickyRows();

    assertThat(keys(rows(Scan.all().filter(RowFilter.any())))).isEqualTo(keys);
  }

  @Test
  final void fuzzyRowsAgreeWithTheirReference() {
    List<Bytes> keys = putTrickyRows();
    RandomGenerator random = random(1);
    for (int round = 0; round < 120; round++) {
      assertKeeps(keys, fuzzyRow(random));
    }
  }

  @Test
  final void rowPatternsAgreeWithTheirReference() {
    List<Bytes> keys = putTaggedRows();
    RandomGenerator random = random(1);
    for (int round = 0; round < 120; round++) {
      assertKeeps(keys, rowPattern(random));
    }
  }

  @Test
  final void combinedFiltersAgreeWithTheirReference() {
    List<Bytes> keys = putTaggedRows();
    RandomGenerator random = random(1);
    for (int round = 0; round < 80; round++) {
      List<RowFilter> parts = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        parts.add(
            switch (random.nextInt(4)) {
              case 0 -> RowFilter.any();
              case 1 -> looseFuzzyRow(random);
              case 2 -> new RowFilter.AllOf(List.of(rowPattern(random), RowFilter.any()));
              default -> rowPattern(random);
            });
      }
      assertKeeps(keys, new RowFilter.AllOf(parts));
    }
  }

  @Test
  final void aFilterLooksOnlyAtRowsInTheRange() {
    List<Bytes> keys = putTrickyRows();
    RandomGenerator random = random(1);
    for (int round = 0; round < 60; round++) {
      FuzzyRow filter = fuzzyRow(random);
      Bytes from = keys.get(random.nextInt(keys.size() / 2));
      Bytes to = keys.get(keys.size() / 2 + random.nextInt(keys.size() / 2));
      long limit = random.nextLong(1, 21);
      List<Bytes> expected =
          keys.stream()
              .filter(key -> key.compareTo(from) >= 0 && key.compareTo(to) < 0)
              .filter(key -> filter.matches(key.array()))
              .limit(limit)
              .toList();

      Scan scan = Scan.range(from.array(), to.array()).filter(filter).limit(limit).rowsPerFetch(2);

      assertThat(keys(rows(scan))).as("%s to %s by %s", from, to, show(filter)).isEqualTo(expected);
    }
  }

  /** Salt-like byte, metric, hour, tag pair: the shape of filter that grouping queries send. */
  @Test
  final void aFuzzyRowSkipsFromMatchToMatch() {
    List<RowMutation> batch = new ArrayList<>();
    for (int series = 0; series < 40; series++) {
      for (int hour = 0; hour < 40; hour++) {
        byte[] row = {1, (byte) hour, (byte) series};
        batch.add(new RowMutation(row, new Change.Put(bytes("q"), row)));
      }
    }
    store().mutate(family(), batch);
    FuzzyRow one = new FuzzyRow(hex("010007"), new boolean[] {true, false, true});

    List<Bytes> keys = keys(rows(Scan.all().filter(one)));

    assertThat(keys).hasSize(40);
    for (int hour = 0; hour < 40; hour++) {
      assertThat(keys.get(hour)).isEqualTo(new Bytes(new byte[] {1, (byte) hour, 7}));
    }
  }

  /** More values, pairs and bytes than a store's statement or mask has room for. */
  @Test
  final void aPatternMayNameManyValuesAndPairs() {
    int pairs = 12;
    List<Bytes> keys = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      byte[] row = new byte[2 + 3 * pairs];
      for (int pair = 0; pair < pairs; pair++) {
        row[2 + 3 * pair] = (byte) pair;
        row[3 + 3 * pair] = (byte) (i >> 8);
        row[4 + 3 * pair] = (byte) i;
      }
      keys.add(new Bytes(row));
    }
    List<Bytes> ordered = put(keys);
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      if (i % 4 != 1) {
        values.add(new byte[] {(byte) (i >> 8), (byte) i});
      }
    }

    for (int pair : new int[] {0, 8, pairs - 1}) {
      RowPattern.Term many =
          new RowPattern.Term(new byte[] {(byte) pair}, RowPattern.Presence.ONE_OF, values);
      RowFilter filter = new RowPattern(2, 1, 2, List.of(many), false);
      List<Bytes> expected = ordered.stream().filter(key -> filter.matches(key.array())).toList();
      assertThat(expected).hasSize(1_500);
      assertThat(keys(rows(Scan.all().filter(filter))))
          .as("rows with one of %d values in pair %d", values.size(), pair)
          .isEqualTo(expected);
    }
    RowPattern.Term absent =
        new RowPattern.Term(new byte[] {(byte) (pairs - 1)}, RowPattern.Presence.ABSENT, List.of());
    assertKeeps(ordered, new RowPattern(2, 1, 2, List.of(absent), false));
  }

  @Test
  final void aFuzzyRowMayBeLong() {
    List<Bytes> keys = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] row = new byte[300];
      row[70] = (byte) (i % 3);
      row[299] = (byte) i;
      keys.add(new Bytes(row));
    }
    List<Bytes> ordered = put(keys);
    for (int at : new int[] {70, 299}) {
      boolean[] fixed = new boolean[300];
      fixed[at] = true;
      byte[] template = new byte[300];
      template[at] = 2;
      assertKeeps(ordered, new FuzzyRow(template, fixed));
    }
  }

  private void assertKeeps(List<Bytes> keys, RowFilter filter) {
    List<Bytes> expected = keys.stream().filter(key -> filter.matches(key.array())).toList();

    assertThat(keys(rows(Scan.all().filter(filter)))).as(show(filter)).isEqualTo(expected);
  }

  /** Rows of lengths 1 to 5 over few byte values; ordered. */
  private List<Bytes> putTrickyRows() {
    RandomGenerator random = random(0);
    List<Bytes> keys = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      keys.add(new Bytes(trickyKey(random, 5)));
    }
    return put(keys);
  }

  /** Rows of 2 bytes and then up to 3 pairs of a 1-byte key and a 2-byte value, some torn. */
  private List<Bytes> putTaggedRows() {
    RandomGenerator random = random(0);
    List<Bytes> keys = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      int pairs = random.nextInt(4);
      byte[] row = new byte[2 + 3 * pairs + (random.nextInt(10) == 0 ? 1 : 0)];
      for (int at = 0; at < row.length; at++) {
        row[at] = (byte) random.nextInt(3);
      }
      keys.add(new Bytes(row));
    }
    keys.add(new Bytes(hex("01")));
    return put(keys);
  }

  private List<Bytes> put(List<Bytes> keys) {
    List<Bytes> ordered = keys.stream().distinct().sorted().toList();
    List<RowMutation> batch = new ArrayList<>();
    for (Bytes key : ordered) {
      batch.add(new RowMutation(key.array(), new Change.Put(bytes("q"), key.array())));
    }
    store().mutate(family(), batch);
    return ordered;
  }

  private static FuzzyRow fuzzyRow(RandomGenerator random) {
    byte[] template = trickyKey(random, 5);
    boolean[] fixed = new boolean[template.length];
    for (int i = 0; i < fixed.length; i++) {
      fixed[i] = random.nextBoolean();
    }
    return new FuzzyRow(template, fixed);
  }

  /** A filter that accepts rows of two pairs. */
  private static FuzzyRow looseFuzzyRow(RandomGenerator random) {
    byte[] template = new byte[8];
    boolean[] fixed = new boolean[8];
    int at = random.nextInt(8);
    template[at] = (byte) random.nextInt(3);
    fixed[at] = true;
    return new FuzzyRow(template, fixed);
  }

  private static RowPattern rowPattern(RandomGenerator random) {
    List<RowPattern.Term> terms = new ArrayList<>();
    int key = random.nextInt(2);
    for (int i = 0; i < random.nextInt(3); i++) {
      byte[] name = {(byte) key++};
      terms.add(
          switch (random.nextInt(3)) {
            case 0 -> new RowPattern.Term(name, RowPattern.Presence.ANY_VALUE, List.of());
            case 1 -> new RowPattern.Term(name, RowPattern.Presence.ABSENT, List.of());
            default -> {
              byte[] value = {(byte) random.nextInt(3), (byte) random.nextInt(3)};
              byte[] other = {(byte) random.nextInt(3), (byte) random.nextInt(3)};
              yield new RowPattern.Term(name, RowPattern.Presence.ONE_OF, List.of(value, other));
            }
          });
    }
    return new RowPattern(2, 1, 2, terms, random.nextInt(4) == 0);
  }

  private static String show(RowFilter filter) {
    if (filter instanceof FuzzyRow fuzzy) {
      StringBuilder mask = new StringBuilder();
      for (boolean fixed : fuzzy.fixed()) {
        mask.append(fixed ? '=' : '?');
      }
      return "fuzzy " + new Bytes(fuzzy.template()) + " " + mask;
    }
    if (filter instanceof RowPattern pattern) {
      List<String> terms = new ArrayList<>();
      for (RowPattern.Term term : pattern.terms()) {
        terms.add(
            new Bytes(term.key())
                + " "
                + term.presence()
                + " "
                + term.values().stream().map(Bytes::new).toList());
      }
      return "pattern " + terms + (pattern.onlyTerms() ? " only" : "");
    }
    if (filter instanceof RowFilter.AllOf all) {
      return "all of " + all.filters().stream().map(FilterContract::show).toList();
    }
    return "any";
  }
}
