package org.hourstone.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.hourstone.kv.Family;
import org.hourstone.kv.Scan;
import org.hourstone.tool.CopyFamily.Holds;
import org.junit.jupiter.api.Test;

class CopyCheckpointTest {
  private static final CopyFamily POINTS =
      new CopyFamily(new Family("tsdb", "t"), new Family("other", "t"), Holds.ROWS);

  private static String checkpoint() {
    CopyPart begun = new CopyPart(POINTS, 1, true, 0, Scan.range(new byte[] {1}, new byte[] {2}));
    begun.begun = true;
    begun.did(new byte[] {1, (byte) 0xab});
    begun.counts = new CopyCounts(1, 2, 3, 4, 5, 6, -7, Long.MIN_VALUE);
    CopyPart last = new CopyPart(POINTS, 2, false, -1, Scan.range(new byte[] {2}, null));
    last.done = true;
    return CopyCheckpoint.of(List.of(begun, last)).text();
  }

  @Test
  void partsAreReadAsTheyWereSaved() {
    List<CopyPart> parts = CopyCheckpoint.read(checkpoint(), List.of(POINTS), 1);
    assertThat(parts).hasSize(2);
    CopyPart begun = parts.get(0);
    assertThat(begun.family).isEqualTo(POINTS);
    assertThat(begun.phase).isEqualTo(1);
    assertThat(begun.again).isTrue();
    assertThat(begun.selection).isZero();
    assertThat(begun.scan.start()).containsExactly(1);
    assertThat(begun.scan.stop()).containsExactly(2);
    assertThat(begun.next).containsExactly(1, 0xab, 0);
    assertThat(begun.begun).isTrue();
    assertThat(begun.done).isFalse();
    assertThat(begun.counts).isEqualTo(new CopyCounts(1, 2, 3, 4, 5, 6, -7, Long.MIN_VALUE));
    CopyPart last = parts.get(1);
    assertThat(last.scan.stop()).isNull();
    assertThat(last.selection).isEqualTo(-1);
    assertThat(last.done).isTrue();
    assertThat(CopyCheckpoint.of(parts).text()).isEqualTo(checkpoint());
  }

  @Test
  void aCheckpointOfAnotherCopyIsRefused() {
    CopyFamily others = new CopyFamily(new Family("x", "t"), new Family("y", "t"), Holds.ROWS);
    refused(checkpoint(), List.of(others), 1, "it is of other tables");
    refused(checkpoint(), List.of(POINTS), 0, "it is of another selection");
  }

  @Test
  void whatIsNoCheckpointIsRefusedByName() {
    List<CopyFamily> families = List.of(POINTS);
    refused("parts", families, 1, "not JSON: ");
    refused("null", families, 1, "it has no parts");
    refused("{}", families, 1, "'parts'");
    refused("{\"parts\":null}", families, 1, "'parts'");
    refused("{\"parts\":[]}", families, 1, "it has no parts");
    refused("{\"parts\":[null]}", families, 1, "it has no parts");
    refused(checkpoint().replace("\"next\":\"01ab00\",", ""), families, 1, "'next'");
    refused(checkpoint().replace("01ab00", "01ab0"), families, 1, "not a key in hex: 01ab0");
    refused(
        checkpoint().replace("\"phase\":1", "\"phase\":\"x\""),
        families,
        1,
        "not the expected JSON: ");
  }

  private static void refused(
      String text, List<CopyFamily> families, int selections, String because) {
    assertThatThrownBy(() -> CopyCheckpoint.read(text, families, selections))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining(because);
  }
}
