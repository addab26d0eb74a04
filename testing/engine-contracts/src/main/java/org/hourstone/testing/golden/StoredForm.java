package org.hourstone.testing.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Telnet;

/** The forms in which the same points can lie in the data table. They must be read alike. */
enum StoredForm {
  /** A cell for each point. */
  PLAIN,
  /** A cell for each row, written when its points had been there. */
  COMPACTED,
  /** A cell for each row, written by appending its points. */
  APPENDED,
  /** A cell for each point, in rows that begin with a salt: the series are found in its order. */
  SALTED,
  /** A cell for each point, and the series index is asked which series there are. */
  INDEXED;

  TsdbOptions options(TsdbOptions base) {
    return switch (this) {
      case PLAIN -> base.with(Settings.ENABLE_COMPACTION, "false");
      case COMPACTED -> base.with(Settings.ENABLE_COMPACTION, "true");
      case APPENDED -> base.with(Settings.ENABLE_APPENDS, "true");
      case SALTED -> base.with(Settings.ENABLE_COMPACTION, "false").with(Settings.SALT_WIDTH, "1");
      case INDEXED ->
          base.with(Settings.ENABLE_COMPACTION, "false").with(Settings.INDEX_ENABLE, "true");
    };
  }

  /**
   * Puts the points. UIDs are assigned in the order of the lines, as they were when the queries
   * were recorded.
   *
   * @param lines of the telnet protocol, no timestamp of a series twice
   */
  void put(List<String> lines, Tsdb db) {
    Telnet telnet = new Telnet(db);
    Set<String> series = new HashSet<>();
    List<CompletableFuture<String>> replies = new ArrayList<>();
    for (String line : lines) {
      CompletableFuture<String> reply = telnet.respond(line);
      replies.add(reply);
      if (series.add(line.replaceFirst(" \\S+ \\S+ ", " "))) {
        assertThat(reply.join()).describedAs(line).isEmpty();
      }
    }
    db.flush();
    replies.forEach(reply -> assertThat(reply.join()).isEmpty());
    if (this == COMPACTED) {
      db.compactions().flush();
    }
    assertIsThis(lines, db);
  }

  private void assertIsThis(List<String> lines, Tsdb db) {
    List<GoldenCell> cells =
        GoldenCell.of(db.engine().store(), Set.of()).stream()
            .filter(cell -> cell.table().equals(db.engine().tables().data()))
            .toList();
    long rows = cells.stream().map(GoldenCell::row).distinct().count();
    assertThat(cells.size())
        .describedAs("cells that are %s", this)
        .isEqualTo(this == COMPACTED || this == APPENDED ? (int) rows : lines.size());
    assertThat(db.index().isOn() && db.index().status().complete())
        .describedAs("with the index")
        .isEqualTo(this == INDEXED);
    boolean appended = cells.stream().allMatch(cell -> cell.qualifier().equals("050000"));
    assertThat(appended).describedAs("appended").isEqualTo(this == APPENDED);
  }

  /** Whether series are found in the order in which they were when the queries were recorded. */
  boolean keepsOrder() {
    return this != SALTED;
  }
}
