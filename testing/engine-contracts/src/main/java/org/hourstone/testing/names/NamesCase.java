package org.hourstone.testing.names;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.hourstone.Tables;
import org.hourstone.codec.Schema;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.tool.UidFsck;
import org.hourstone.tool.UidFsckListener;
import org.hourstone.tool.UidFsckOptions;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidOptions;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Processes that share the UID table of the store under test. */
abstract class NamesCase {
  static final Tables TABLES = new Tables("tsdb", "tsdb-uid", "tsdb-meta", "tsdb-tree");

  static final Family FORWARD = TABLES.uidIds();

  static final Family REVERSE = TABLES.uidNames();

  static final Schema SCHEMA = new Schema(3, 3, 3, 0, 20, 8);

  static final UidKind KIND = UidKind.METRIC;

  static final byte[] QUALIFIER = latin(KIND.qualifier());

  @TempDir private Path directory;

  KeyValueStore store;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @BeforeEach
  final void openStore() {
    store = open(StoreFixture.in(directory, 1));
    store.ensure(TABLES.families(), SchemaMode.CREATE);
  }

  @AfterEach
  final void closeStore() {
    store.close();
  }

  void startOver() {
    for (Family family : List.of(FORWARD, REVERSE)) {
      List<RowMutation> deletions = new ArrayList<>();
      try (RowCursor rows = store.scan(family, Scan.all())) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          deletions.add(new RowMutation(row.key(), new Change.DeleteRow()));
        }
      }
      store.mutate(family, deletions);
    }
  }

  /** A process. */
  static UidTable process(KeyValueStore over) {
    return process(over, Duration.ZERO, InstantSource.fixed(Instant.EPOCH));
  }

  static UidTable process(KeyValueStore over, Duration noticesAfter, InstantSource clock) {
    return new UidTable(
        over,
        FORWARD,
        REVERSE,
        SCHEMA,
        new UidOptions(EnumSet.allOf(UidKind.class), Set.of(), 10_000, noticesAfter),
        Backoff.none(),
        clock,
        new Random(1));
  }

  static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static byte[] uid(int number) {
    return new byte[] {0, 0, (byte) number};
  }

  byte @Nullable [] stored(String name) {
    return store.get(FORWARD, latin(name), Columns.exactly(QUALIFIER)).find(QUALIFIER);
  }

  @Nullable String storedName(byte[] uid) {
    byte[] name = store.get(REVERSE, uid, Columns.exactly(QUALIFIER)).find(QUALIFIER);
    return name == null ? null : new String(name, StandardCharsets.ISO_8859_1);
  }

  /** Names and their UIDs, as they are stored. */
  Map<String, Byte> names() {
    Map<String, Byte> names = new TreeMap<>();
    try (RowCursor rows = store.scan(FORWARD, Scan.all().columns(Columns.exactly(QUALIFIER)))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        if (row.key()[0] != 0) {
          names.put(new String(row.key(), StandardCharsets.ISO_8859_1), row.value(0)[2]);
        }
      }
    }
    return names;
  }

  List<String> repaired() {
    List<String> findings = new ArrayList<>();
    UidFsckListener listener = finding -> findings.add(finding.toString());
    UidFsckOptions fix = new UidFsckOptions(true, false, false);
    new UidFsck(store, FORWARD, REVERSE, List.of(), SCHEMA, fix, listener).run();
    return findings;
  }
}
