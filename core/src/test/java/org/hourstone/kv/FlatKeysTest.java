package org.hourstone.kv;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FlatKeysTest {
  private static final long SEED = 20261121;
  private static final byte[] NOTHING = new byte[0];

  private final Random random = new Random(SEED);

  @Test
  void keysAreOrderedByRowThenQualifier() {
    List<byte[]> rows = rows(400);
    List<byte[]> qualifiers = List.of(NOTHING, bytes(0), bytes(0, 0), bytes(0x7F), bytes(0xFF));
    for (byte[] left : rows) {
      for (byte[] right : rows) {
        byte[] leftQualifier = qualifiers.get(random.nextInt(qualifiers.size()));
        byte[] rightQualifier = qualifiers.get(random.nextInt(qualifiers.size()));
        int order = Arrays.compareUnsigned(left, right);
        if (order == 0) {
          order = Arrays.compareUnsigned(leftQualifier, rightQualifier);
        }
        int keyOrder =
            Arrays.compareUnsigned(
                FlatKeys.cell(left, leftQualifier), FlatKeys.cell(right, rightQualifier));
        assertThat(Integer.signum(keyOrder))
            .as(
                "seed %d: %s|%s against %s|%s",
                SEED, hex(left), hex(leftQualifier), hex(right), hex(rightQualifier))
            .isEqualTo(Integer.signum(order));
      }
    }
  }

  @Test
  void noEncodedRowIsAPrefixOfAnother() {
    List<byte[]> rows = rows(400);
    for (byte[] left : rows) {
      for (byte[] right : rows) {
        byte[] shorter = FlatKeys.bound(left);
        byte[] longer = FlatKeys.bound(right);
        boolean prefix =
            shorter.length <= longer.length
                && Arrays.equals(shorter, 0, shorter.length, longer, 0, shorter.length);
        assertThat(prefix)
            .as("seed %d: %s against %s", SEED, hex(left), hex(right))
            .isEqualTo(Arrays.equals(left, right));
      }
    }
  }

  @Test
  void rowAndQualifierAreReadBackFromAKey() {
    for (byte[] row : rows(1000)) {
      byte[] qualifier = anyBytes(random.nextInt(20));
      byte[] key = FlatKeys.cell(row, qualifier);
      byte[] roomy = Arrays.copyOf(key, key.length + 7);

      int rowEnd = FlatKeys.rowEnd(roomy, key.length);

      assertThat(rowEnd).isEqualTo(FlatKeys.encodedLength(row.length));
      assertThat(FlatKeys.row(roomy, rowEnd)).as("seed %d", SEED).isEqualTo(row);
      assertThat(Arrays.copyOfRange(key, rowEnd, key.length)).isEqualTo(qualifier);
    }
  }

  @Test
  void theBoundsOfARowEncloseItsCellsAndNoOthers() {
    List<byte[]> rows = rows(300);
    for (byte[] row : rows) {
      byte[] from = FlatKeys.bound(row);
      byte[] to = FlatKeys.afterRow(row);
      for (byte[] other : rows) {
        byte[] key = FlatKeys.cell(other, anyBytes(random.nextInt(4)));
        boolean enclosed =
            Arrays.compareUnsigned(from, key) <= 0 && Arrays.compareUnsigned(key, to) < 0;
        assertThat(enclosed)
            .as("seed %d: %s in the bounds of %s", SEED, hex(other), hex(row))
            .isEqualTo(Arrays.equals(row, other));
      }
    }
  }

  @Test
  void theEmptyRowBoundsAllRowsAndSoDoesTheEnd() {
    for (byte[] row : rows(300)) {
      byte[] key = FlatKeys.cell(row, NOTHING);
      assertThat(Arrays.compareUnsigned(FlatKeys.bound(NOTHING), key)).isNegative();
      assertThat(Arrays.compareUnsigned(key, FlatKeys.beyondAll())).isNegative();
    }
  }

  @Test
  void encodesAnOpenTsdbRowInGroupsOfEight() {
    byte[] row = HexFormat.of().parseHex("000001" + "5a0b3c40" + "000001000001");
    assertThat(HexFormat.of().formatHex(FlatKeys.cell(row, bytes(0, 0xF0))))
        .isEqualTo("0000015a0b3c4000" + "09" + "0001000001000000" + "05" + "00f0");
    assertThat(HexFormat.of().formatHex(FlatKeys.bound(Arrays.copyOf(row, 8))))
        .isEqualTo("0000015a0b3c4000" + "08");
  }

  @Test
  void aKeyOfSomethingElseHasNoRow() {
    assertThat(FlatKeys.rowEnd(bytes(1, 2, 3), 3)).isEqualTo(-1);
    assertThat(FlatKeys.rowEnd(bytes(1, 2, 3, 4, 5, 6, 7, 8, 0), 9)).isEqualTo(-1);
    assertThat(FlatKeys.rowEnd(bytes(1, 2, 3, 4, 5, 6, 7, 8, 10), 9)).isEqualTo(-1);
    assertThat(FlatKeys.rowEnd(bytes(1, 2, 3, 4, 5, 6, 7, 8, 9), 9)).isEqualTo(-1);
    assertThat(FlatKeys.rowEnd(new byte[0], 0)).isEqualTo(-1);
  }

  /** Rows full of what makes trouble: zeros, FF, common prefixes, lengths around the groups'. */
  private List<byte[]> rows(int count) {
    TreeSet<byte[]> rows = new TreeSet<>(Arrays::compareUnsigned);
    while (rows.size() < count) {
      rows.add(troublesomeBytes(1 + random.nextInt(26)));
    }
    return new ArrayList<>(rows);
  }

  private byte[] troublesomeBytes(int length) {
    byte[] bytes = new byte[length];
    byte[] alphabet = bytes(0, 0, 0, 1, 8, 9, 0x7F, 0x80, 0xFE, 0xFF, 0xFF);
    for (int i = 0; i < length; i++) {
      bytes[i] = alphabet[random.nextInt(alphabet.length)];
    }
    return bytes;
  }

  private byte[] anyBytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] bytes(int... bytes) {
    byte[] array = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      array[i] = (byte) bytes[i];
    }
    return array;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
