package org.hourstone.kv;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksTest {
  /** A batch that puts cells of these qualifiers, in hex, into one row. */
  private static List<RowMutation> puts(String qualifiers) {
    List<Change> puts =
        Arrays.stream(qualifiers.split(" "))
            .<Change>map(hex -> new Change.Put(HexFormat.of().parseHex(hex), new byte[1]))
            .toList();
    return List.of(new RowMutation(new byte[1], puts));
  }

  @ParameterizedTest
  @ValueSource(strings = {"00", "0010 0020 F000", "F000 0010", "0010 00 0010AA", "7F 80 01"})
  void differentQualifiersMayStandInAnyOrder(String qualifiers) {
    assertThatCode(() -> Checks.batch(puts(qualifiers))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"00 00", "00 10 10", "10 00 10", "80 7F 00 80", "00 10 20 00"})
  void aQualifierThatIsThereTwiceIsRefusedWhereverItStands(String qualifiers) {
    assertThatThrownBy(() -> Checks.batch(puts(qualifiers)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two changes of one row have one qualifier");
  }

  @Test
  void aRowDeletionStandsAlone() {
    Change put = new Change.Put(new byte[] {1}, new byte[1]);
    Change deletion = new Change.DeleteRow();
    assertThatCode(() -> Checks.batch(List.of(new RowMutation(new byte[1], deletion))))
        .doesNotThrowAnyException();
    for (List<Change> changes : List.of(List.of(put, deletion), List.of(deletion, put))) {
      assertThatThrownBy(() -> Checks.batch(List.of(new RowMutation(new byte[1], changes))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a row deletion must be the only change of its row");
    }
  }
}
