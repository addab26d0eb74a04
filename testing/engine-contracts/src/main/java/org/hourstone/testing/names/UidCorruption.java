package org.hourstone.testing.names;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.uid.UidKind;

/** Corrupts the UID table at random, cell by cell. For UIDs of three bytes. */
final class UidCorruption {
  private static final byte[] COUNTER_ROW = {0};

  private final KeyValueStore store;
  private final Family forward;
  private final Family reverse;
  private final Random random;

  UidCorruption(KeyValueStore store, Family forward, Family reverse, Random random) {
    this.store = store;
    this.forward = forward;
    this.reverse = reverse;
    this.random = random;
  }

  /** Makes one random change, and returns its description. */
  String once() {
    UidKind kind = List.of(UidKind.values()).get(random.nextInt(3));
    byte[] qualifier = kind.qualifier().getBytes(StandardCharsets.ISO_8859_1);
    byte[] name = someRow(forward, qualifier);
    byte[] uid = someRow(reverse, qualifier);
    int what = random.nextInt(15);
    switch (what) {
      case 0 -> delete(forward, name, qualifier);
      case 1 -> delete(reverse, uid, qualifier);
      case 2 -> store.put(forward, name, qualifier, uid);
      case 3 -> store.put(reverse, uid, qualifier, name);
      case 4 -> store.put(reverse, uid, qualifier, bytes("lost" + random.nextInt(5)));
      case 5 -> store.put(reverse, number(200 + random.nextInt(20)), qualifier, name);
      case 6 -> store.put(reverse, number(220 + random.nextInt(20)), qualifier, bytes("orphan"));
      case 7 -> store.put(forward, bytes("twin" + random.nextInt(5)), qualifier, uid);
      case 8 -> store.put(forward, name, qualifier, number(240 + random.nextInt(9)));
      case 9 -> store.put(forward, name, qualifier, Arrays.copyOf(uid, random.nextInt(6)));
      case 10 -> store.put(reverse, Arrays.copyOf(uid, 2 + 2 * random.nextInt(2)), qualifier, name);
      case 11 -> store.put(reverse, uid, qualifier, new byte[random.nextInt(2)]);
      case 12 -> store.put(forward, COUNTER_ROW, qualifier, new byte[random.nextInt(10)]);
      case 13 -> delete(forward, COUNTER_ROW, qualifier);
      default ->
          store.put(
              random.nextBoolean() ? forward : reverse,
              random.nextBoolean() ? name : uid,
              bytes("x" + random.nextInt(3)),
              new byte[random.nextInt(3)]);
    }
    return what + " of " + kind;
  }

  private void delete(Family family, byte[] row, byte[] qualifier) {
    store.mutate(family, List.of(new RowMutation(row, new Change.Delete(qualifier))));
  }

  private static byte[] number(int uid) {
    return new byte[] {0, (byte) (uid >> 8), (byte) uid};
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private byte[] someRow(Family family, byte[] qualifier) {
    List<byte[]> rows = new ArrayList<>();
    try (RowCursor cursor = store.scan(family, Scan.all())) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        if (row.find(qualifier) != null && !Arrays.equals(row.key(), COUNTER_ROW)) {
          rows.add(row.key());
        }
      }
    }
    return rows.get(random.nextInt(rows.size()));
  }
}
