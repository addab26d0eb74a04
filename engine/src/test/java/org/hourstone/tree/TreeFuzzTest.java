package org.hourstone.tree;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.hourstone.codec.CorruptDataException;

/** Any value of a cell is part of a tree, or named as corrupt. */
class TreeFuzzTest {
  private static final byte[] ROW = {0, 1};

  @FuzzTest(maxExecutions = 50_000)
  void valuesAreReadOrNamedAsCorrupt(byte[] value) {
    check(value, TreeJson::definition, TreeJson::bytes);
    check(value, TreeJson::rule, TreeJson::bytes);
    check(value, TreeJson::branch, TreeJson::bytes);
    check(value, TreeJson::leaf, TreeJson::bytes);
  }

  private static <T> void check(
      byte[] value, BiFunction<byte[], byte[], T> read, Function<T, byte[]> write) {
    try {
      byte[] stored = write.apply(read.apply(ROW, value));
      assertThat(write.apply(read.apply(ROW, stored))).isEqualTo(stored);
    } catch (CorruptDataException e) {
      assertThat(e.getMessage()).contains("in row 0001: ");
    }
  }
}
