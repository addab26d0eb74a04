package org.hourstone.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.hourstone.kv.Family;
import org.hourstone.kv.Scan;
import org.junit.jupiter.api.Test;

class TableCheckpointTest {
  private static final Family POINTS = new Family("tsdb", "t");

  private static final String CORRUPT = "the ranges in it are corrupt";

  record Counts(long cells, long sum) {}

  record Others(long trees) {}

  private static String checkpoint() {
    TableRange begun = new TableRange(POINTS, Scan.range(new byte[] {1}, new byte[] {2}), 1, 0);
    begun.begun = true;
    begun.did(new byte[] {1, (byte) 0xab});
    TableRange last = new TableRange(POINTS, Scan.range(new byte[] {2}, null), 2, TableRange.ALL);
    return new TableCheckpoint(7, 3, List.of(begun, last), new Counts(-7, Long.MIN_VALUE)).text();
  }

  private static TableCheckpoint read(String text) {
    return TableCheckpoint.read(text, Set.of(POINTS), 1);
  }

  @Test
  void rangesAreReadAsTheyWereSaved() {
    TableCheckpoint read = read(checkpoint());
    assertThat(read.rows()).isEqualTo(7);
    assertThat(read.done()).isEqualTo(3);
    assertThat(read.counts(Counts.class)).isEqualTo(new Counts(-7, Long.MIN_VALUE));
    assertThat(read.ranges()).hasSize(2);
    TableRange begun = read.ranges().get(0);
    assertThat(begun.family()).isEqualTo(POINTS);
    assertThat(begun.phase()).isEqualTo(1);
    assertThat(begun.selection()).isZero();
    assertThat(begun.scan().start()).containsExactly(1);
    assertThat(begun.scan().stop()).containsExactly(2);
    assertThat(begun.next).containsExactly(1, 0xab, 0);
    assertThat(begun.begun).isTrue();
    TableRange last = read.ranges().get(1);
    assertThat(last.scan().stop()).isNull();
    assertThat(last.selection()).isEqualTo(TableRange.ALL);
    assertThat(last.begun).isFalse();
    assertThat(read.text()).isEqualTo(checkpoint());
  }

  @Test
  void aCheckpointOfAnotherRunIsRefused() {
    assertThatThrownBy(() -> TableCheckpoint.read(checkpoint(), Set.of(new Family("x", "t")), 1))
        .isInstanceOf(CheckpointException.class)
        .hasMessage("it is of other tables");
    assertThatThrownBy(() -> TableCheckpoint.read(checkpoint(), Set.of(POINTS), 0))
        .isInstanceOf(CheckpointException.class)
        .hasMessage("it is of another selection");
    assertThatThrownBy(() -> read(checkpoint()).counts(Others.class))
        .isInstanceOf(CheckpointException.class)
        .hasMessage("the counts in it are corrupt");
  }

  @Test
  void aTextInAnotherFormatIsRefused() {
    String message = "it is not a checkpoint in the format of this version, 'ranges 1'";
    refused("", message);
    refused("null", message);
    refused("ranges 1\n{}", message);
    refused(checkpoint().replace("ranges 1", "ranges 2"), message);
    refused(checkpoint() + "\n", message);
    // As fsck and copy saved them before they had one format.
    refused("{\"rest\":[{\"start\":\"\",\"stop\":\"\"}],\"report\":{\"rows\":1}}", message);
    refused("{\"parts\":[{\"family\":\"tsdb:t\",\"phase\":1}]}", message);
  }

  @Test
  void aCorruptCheckpointIsRefusedByName() {
    refused("ranges 1\nranges\n{}", CORRUPT);
    refused("ranges 1\nnull\n{}", "it has no ranges");
    refused("ranges 1\n{}\n{}", CORRUPT);
    refused("ranges 1\n{\"rows\":1,\"done\":0,\"ranges\":null}\n{}", CORRUPT);
    refused("ranges 1\n{\"rows\":1,\"done\":0,\"ranges\":[null]}\n{}", "it has no ranges");
    refused(checkpoint().replace("\"next\":\"01ab00\",", ""), CORRUPT);
    refused(checkpoint().replace("01ab00", "01ab0"), CORRUPT);
    refused(checkpoint().replace("\"phase\":1", "\"phase\":\"x\""), CORRUPT);
    String noCounts = checkpoint().replaceAll("\n[^\n]*$", "\nnull");
    assertThatThrownBy(() -> read(noCounts).counts(Counts.class))
        .isInstanceOf(CheckpointException.class)
        .hasMessage("it has no counts");
  }

  /** Whatever byte is another one, or is where the text ends. */
  @Test
  void nothingCorruptIsAnotherFailure() {
    String whole = checkpoint();
    for (int i = 0; i < whole.length(); i++) {
      for (String other : new String[] {"0", "\"", "{", "]", "-", "\n", "null", "\0", ""}) {
        readOrRefused(whole.substring(0, i) + other + whole.substring(i + 1));
      }
      readOrRefused(whole.substring(0, i));
    }
  }

  private static void readOrRefused(String corrupt) {
    try {
      assertThat(read(corrupt).counts(Counts.class)).isNotNull();
    } catch (CheckpointException e) {
      assertThat(e.getMessage()).doesNotContain("org.", "java");
    }
  }

  private static void refused(String text, String because) {
    assertThatThrownBy(() -> read(text))
        .describedAs(text)
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining(because);
  }
}
