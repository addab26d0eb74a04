package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.RowPattern;
import org.hourstone.kv.RowPattern.Presence;
import org.hourstone.kv.RowPattern.Term;
import org.junit.jupiter.api.Test;

class RowFiltersTest {
  private static final long SEED = 20261121;

  @Test
  void anExpressionMatchesWhatItsPatternMatches() {
    Random random = new Random(SEED);
    int matched = 0;
    for (int i = 0; i < 20_000; i++) {
      RowPattern pattern = pattern(random);
      byte[] row = new byte[random.nextInt(14)];
      for (int at = 0; at < row.length; at++) {
        row[at] = anyByte(random);
      }
      boolean expected = pattern.matches(row);
      matched += expected ? 1 : 0;

      assertThat(find(pattern, row))
          .as(
              "seed %d: row %s, expression %s",
              SEED, new Bytes(row), RowFilters.expression(pattern))
          .isEqualTo(expected);
    }
    assertThat(matched).isBetween(1_000, 19_000);
  }

  @Test
  void aTermWithVeryManyValuesIsSentAsAnyValue() {
    List<byte[]> values = Collections.nCopies(RowFilters.MAX_VALUES + 1, new byte[] {7});
    Term term = new Term(new byte[] {1}, Presence.ONE_OF, values);
    RowPattern pattern = new RowPattern(0, 1, 1, List.of(term), false);

    assertThat(find(pattern, new byte[] {1, 8})).as("left to the cursor").isTrue();
    assertThat(find(pattern, new byte[] {2, 7})).isFalse();
  }

  private static boolean find(RowPattern pattern, byte[] row) {
    return Pattern.compile(RowFilters.expression(pattern), Pattern.DOTALL)
        .matcher(new String(row, StandardCharsets.ISO_8859_1))
        .find();
  }

  private static RowPattern pattern(Random random) {
    int keyWidth = 1 + random.nextInt(2);
    int valueWidth = 1 + random.nextInt(2);
    List<Term> terms = new ArrayList<>();
    for (int i = 0; i < random.nextInt(3); i++) {
      Presence presence = List.of(Presence.values()).get(random.nextInt(3));
      List<byte[]> values = new ArrayList<>();
      for (int v = 0; presence == Presence.ONE_OF && v <= random.nextInt(3); v++) {
        values.add(bytes(random, valueWidth));
      }
      terms.add(new Term(bytes(random, keyWidth), presence, values));
    }
    return new RowPattern(random.nextInt(3), keyWidth, valueWidth, terms, random.nextInt(4) == 0);
  }

  private static byte[] bytes(Random random, int width) {
    byte[] bytes = new byte[width];
    for (int i = 0; i < width; i++) {
      bytes[i] = anyByte(random);
    }
    return bytes;
  }

  /** Few, and those that mean something to an expression or to a line. */
  private static byte anyByte(Random random) {
    return new byte[] {'\n', '\r', '\\', (byte) 0xFF}[random.nextInt(4)];
  }
}
