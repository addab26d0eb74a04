package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.Arrays;
import java.util.List;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.kv.Trait;
import org.junit.jupiter.api.Test;

/** What compaction makes of an append cell, by example. */
public abstract class AppendCompactionContract extends CompactionCase {
  @Test
  final void whatIsDeletedWhileAnAppendCellIsPutInOrderDoesNotComeBack() {
    with(Settings.COMPACT_APPENDS, "false");
    with(Settings.REPAIR_APPENDS, "true");
    try (Tsdb other = Tsdb.over(store, db.engine().options())) {
      for (int replacement = 0; replacement < 3; replacement++) {
        append("002006001005000004");

        compactDuring(replacement, () -> other.delete(seconds(1, 2)));

        assertThat(points()).describedAs("replacement %s", replacement).isEqualTo("0=4");
      }
    }
  }

  @Test
  final void appendedPointsAreMergedOnAStoreOfOurOwn() {
    append("001005");
    append("000004001006");
    put("0020=07");

    compact();

    assertThat(cells())
        .isEqualTo(
            store.traits().contains(Trait.SHARED)
                ? "0020=07 050000=001005000004001006"
                : "000000100020=04060700");
    assertThat(points()).isEqualTo("0=4 1000=6 2000=7");
  }

  @Test
  final void pointsAppendedWhileARowIsCompactedStay() {
    assumeFalse(store.traits().contains(Trait.SHARED), "rows with append cells are left alone");
    append("000004");
    put("0020=07");
    beforeReplacing = () -> append("000005001006");
    compact();
    assertThat(points()).isEqualTo("0=5 1000=6 2000=7");
    compact();
    assertThat(points()).isEqualTo("0=5 1000=6 2000=7");
  }

  @Test
  final void anAppendCellThatStaysIsPutInOrderIfThatIsWanted() {
    with(Settings.COMPACT_APPENDS, "false");
    append("001005");
    append("000004001006");
    put("0020=07");
    String before = cells();
    compact();
    assertThat(cells()).isEqualTo(before);

    with(Settings.REPAIR_APPENDS, "true");
    long writeTime = row().writeTime(1);
    assertThat(compact().rewritten()).isEqualTo(1);
    assertThat(cells()).isEqualTo("0020=07 050000=000004001006");
    assertThat(row().writeTime(1)).isEqualTo(writeTime);
    assertThat(compact().rewritten()).isZero();
  }

  @Test
  final void pointsAppendedWhileACellIsPutInOrderStay() {
    with(Settings.COMPACT_APPENDS, "false");
    with(Settings.REPAIR_APPENDS, "true");
    append("001005000004");
    beforeReplacing = () -> append("000008");
    compact();
    assertThat(cells()).isEqualTo("050000=000008001005");
  }

  /** Whatever is missing at the end: an error with a name, and all before it can still be read. */
  @Test
  final void anAppendCellThatIsCutOffIsNamedWhereverTheCutIs() {
    byte[] whole = hex("000004" + "F000FA4305060708" + "00207F" + "003B42280000");
    List<Integer> ends = List.of(0, 3, 11, 14, 20);
    List<String> readable = List.of("", "0=4", "0=4 1001=84281096", "0=4 1001=84281096 2000=127");
    for (int length = 1; length < whole.length; length++) {
      with(QuerySettings.CORRUPT_ROWS, "fail");
      store.put(db.engine().tables().points(), ROW, hex("050000"), Arrays.copyOf(whole, length));
      if (ends.contains(length)) {
        assertThat(points()).isEqualTo(readable.get(ends.indexOf(length)));
        continue;
      }
      assertThatThrownBy(this::points)
          .describedAs("%s bytes", length)
          .isInstanceOf(CorruptDataException.class)
          .hasMessageContaining("row 00000150e1eec0000001000001 of tsdb:t, cell 050000: ");
      with(QuerySettings.CORRUPT_ROWS, "skip");
      int cut = length;
      int intact = (int) ends.stream().filter(end -> end < cut).count() - 1;
      assertThat(points()).describedAs("%s bytes", length).isEqualTo(readable.get(intact));
      assertThat(compact().skipped()).isEqualTo(1);
    }
  }
}
