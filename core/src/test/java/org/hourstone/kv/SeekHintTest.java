package org.hourstone.kv;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Exhaustive over short keys of the bytes where order and carries go wrong. */
class SeekHintTest {
  private static final byte[] ALPHABET = {0x00, 0x01, (byte) 0xFE, (byte) 0xFF};
  private static final int LONGEST_ROW = 4;

  private final List<Bytes> rows = rows();

  @Test
  void aHintOfAFuzzyRowIsAheadAndSkipsNoMatch() {
    for (FuzzyRow filter : fuzzyRows()) {
      assertHints(filter);
    }
  }

  @Test
  void aHintOfCombinedFiltersIsAheadAndSkipsNoMatch() {
    List<FuzzyRow> fuzzyRows = fuzzyRows();
    RowPattern odd = new RowPattern(1, 1, 1, List.of(), false);
    for (int i = 0; i + 7 < fuzzyRows.size(); i += 7) {
      assertHints(new RowFilter.AllOf(List.of(fuzzyRows.get(i), odd, fuzzyRows.get(i + 7))));
    }
  }

  private void assertHints(RowFilter filter) {
    TreeSet<Bytes> matching = new TreeSet<>();
    for (Bytes row : rows) {
      if (filter.matches(row.array())) {
        matching.add(row);
      }
    }
    for (Bytes row : rows) {
      byte[] hint = matching.contains(row) ? null : filter.seekHint(row.array());
      if (hint != null) {
        Bytes next = new Bytes(hint);
        assertThat(next).as("hint at %s of %s", row, filter).isGreaterThan(row);
        assertThat(matching.subSet(row, false, next, false))
            .as("skipped from %s to %s by %s", row, next, filter)
            .isEmpty();
      }
    }
  }

  private static List<FuzzyRow> fuzzyRows() {
    List<FuzzyRow> filters = new ArrayList<>();
    for (Bytes template : rows()) {
      for (int mask = 0; mask < 1 << template.array().length; mask++) {
        if (template.array().length < LONGEST_ROW) {
          boolean[] fixed = new boolean[template.array().length];
          for (int i = 0; i < fixed.length; i++) {
            fixed[i] = (mask >> i & 1) == 1;
          }
          filters.add(new FuzzyRow(template.array(), fixed));
        }
      }
    }
    return filters;
  }

  /** Every key of 1 to 4 bytes of the alphabet, which is longer than any template. */
  private static List<Bytes> rows() {
    List<Bytes> all = new ArrayList<>();
    List<byte[]> longest = List.of(new byte[0]);
    for (int length = 1; length <= LONGEST_ROW; length++) {
      List<byte[]> longer = new ArrayList<>();
      for (byte[] shorter : longest) {
        for (byte last : ALPHABET) {
          byte[] key = Arrays.copyOf(shorter, length);
          key[length - 1] = last;
          longer.add(key);
        }
      }
      longer.forEach(key -> all.add(new Bytes(key)));
      longest = longer;
    }
    return all;
  }
}
