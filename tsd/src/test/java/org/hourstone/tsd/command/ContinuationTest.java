package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ContinuationTest {
  private static String of(String file, long header, String... later) {
    return Continuation.of(file, 10, header, " --store rocksdb:d", "import", List.of(later));
  }

  @Test
  void beginsWithTheNextLineAndGoesOnWithTheOtherFiles() {
    assertThat(of("a", 0)).isEqualTo("tail -n +11 a | hourstone --store rocksdb:d import -");
    assertThat(of("a.gz", 0, "b", "c.gz"))
        .isEqualTo("zcat a.gz | tail -n +11 | hourstone --store rocksdb:d import - b c.gz");
    assertThat(of("-", 0)).isEqualTo("import from line 11");
    assertThat(Continuation.of("-", 10, 0, "", "load-cells --into-nonempty", List.of()))
        .isEqualTo("load-cells --into-nonempty from line 11");
  }

  @Test
  void keepsTheLineThatNamesTheColumns() {
    assertThat(of("a.csv", 1)).isEqualTo("sed 2,10d a.csv | hourstone --store rocksdb:d import -");
    assertThat(of("a.csv.gz", 3))
        .isEqualTo("zcat a.csv.gz | sed 4,10d | hourstone --store rocksdb:d import -");
    assertThat(of("-", 1)).isEqualTo("import from line 11, after line 1");
  }

  @Test
  void namesAreWordsOfTheShell() {
    assertThat(of("my file", 0))
        .isEqualTo("tail -n +11 'my file' | hourstone --store rocksdb:d import -");
    assertThat(of("it's", 0))
        .isEqualTo("tail -n +11 'it'\\''s' | hourstone --store rocksdb:d import -");
    assertThat(of("/über/a-1.txt", 0)).startsWith("tail -n +11 /über/a-1.txt |");
  }
}
