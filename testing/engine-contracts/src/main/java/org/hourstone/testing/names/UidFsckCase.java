package org.hourstone.testing.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.testing.TsdbCase;
import org.hourstone.tool.Admin;
import org.hourstone.tool.UidFinding;
import org.hourstone.tool.UidFsckReport;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;

/** Tables of names over the store under test, checked and repaired. */
abstract class UidFsckCase extends TsdbCase {
  /** A check of everything. */
  record Run(UidFsckReport report, List<UidFinding> findings) {
    List<String> texts() {
      return findings.stream().map(UidFinding::toString).toList();
    }
  }

  static Run fsck(Tsdb of, boolean fix) {
    List<UidFinding> findings = new ArrayList<>();
    return new Run(Admin.of(of).uidFsck(fix, fix, findings::add).run(), findings);
  }

  static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static byte[] uid(int number) {
    return new byte[] {0, 0, (byte) number};
  }

  void put(Family family, byte[] row, UidKind kind, byte[] value) {
    store.put(family, row, latin(kind.qualifier()), value);
  }

  void delete(Family family, byte[] row, String qualifier) {
    store.mutate(family, List.of(new RowMutation(row, new Change.Delete(latin(qualifier)))));
  }

  byte @Nullable [] cell(Family family, byte[] row, String qualifier) {
    return store.get(family, row, Columns.exactly(latin(qualifier))).find(latin(qualifier));
  }

  Family forward() {
    return db.engine().tables().uidIds();
  }

  Family reverse() {
    return db.engine().tables().uidNames();
  }

  /** Metrics a, b, c with UIDs 1 to 3; rows of data under a and c, tags host=web01 and =web02. */
  void someNames() {
    for (String metric : List.of("a", "b", "c")) {
      db.uids().assign(UidKind.METRIC, metric);
    }
    db.put("a", START, 1, Tags.of("host", "web01"));
    db.put("c", START, 1, Tags.of("host", "web02"));
    db.flush();
  }

  void assertFixed(String... findings) {
    List<String> before = dump();
    Run preview = fsck(db, false);
    assertThat(dump()).isEqualTo(before);
    assertThat(preview.report().repaired()).isZero();
    assertThat(preview.texts())
        .containsExactlyInAnyOrder(
            Arrays.stream(findings).map(each -> each.split("; fixed")[0]).toArray(String[]::new));
    Run fix = fsck(db, true);
    assertThat(fix.texts()).containsExactlyInAnyOrder(findings);
    assertThat(fix.report().isSound()).isTrue();
    assertThat(fsck(db, true).texts()).isEmpty();
    db.dropCaches();
  }

  /** All cells, as they are stored. */
  List<String> dump() {
    List<String> dump = new ArrayList<>();
    for (Family family : store.families()) {
      if (family.table().equals("tsdb-journal")) {
        continue; // says which of two open databases has a head
      }
      try (RowCursor rows = store.scan(family, Scan.all())) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          for (int i = 0; i < row.size(); i++) {
            dump.add(
                family
                    + " "
                    + HexFormat.of().formatHex(row.key())
                    + " "
                    + HexFormat.of().formatHex(row.qualifier(i))
                    + " "
                    + HexFormat.of().formatHex(row.value(i)));
          }
        }
      }
    }
    return dump;
  }
}
