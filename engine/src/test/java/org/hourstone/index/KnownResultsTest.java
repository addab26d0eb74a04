package org.hourstone.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class KnownResultsTest {
  private record Passing(String text) implements NameTest {
    @Override
    public BitSet passing(List<byte[]> tagvs) {
      BitSet all = new BitSet();
      all.set(0, tagvs.size());
      return all;
    }

    @Override
    public BooleanSupplier validity() {
      return () -> true;
    }
  }

  private final KnownResults results = new KnownResults();

  private void ask(String text) {
    BitSet wanted = new BitSet();
    wanted.set(7);
    NameTest test = new Passing(text);
    assertThat(results.passing(1, test, wanted, place -> new byte[] {1})).isEqualTo(wanted);
  }

  @Test
  void theTextsOfTestsAreAccountedFor() {
    assertThat(results.memory()).isZero();
    ask("x".repeat(100_000));
    long one = results.memory();
    assertThat(one).isBetween(200_000L, 201_000L);
    ask("x".repeat(100_000));
    assertThat(results.memory()).isEqualTo(one);
    for (int i = 0; i < 100; i++) {
      ask("short" + i);
    }
    assertThat(results.memory()).describedAs("the long one was dropped").isLessThan(20_000);
  }
}
