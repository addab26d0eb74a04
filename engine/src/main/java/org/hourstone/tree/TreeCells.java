package org.hourstone.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.hourstone.internal.UidText;
import org.hourstone.kv.Columns;

/** Rows and qualifiers of the tree table, as specified in {@code docs/format/tree.md}. */
final class TreeCells {
  static final int TREE_ID_BYTES = 2;
  static final int HASH_BYTES = 4;

  static final byte[] TREE = bytes("tree");
  static final byte[] BRANCH = bytes("branch");
  static final byte[] RULE_PREFIX = bytes("tree_rule:");
  static final byte[] LEAF_PREFIX = bytes("leaf:");
  private static final byte[] COLLISION_PREFIX = bytes("tree_collision:");
  private static final byte[] NOT_MATCHED_PREFIX = bytes("tree_not_matched:");

  /** A tree's definition and its rules: the qualifiers in its row that begin with "tree". */
  static final Columns DEFINITION_AND_RULES = new Columns.Range(TREE, bytes("tref"));

  private static final byte COLLISIONS = 1;
  private static final byte NOT_MATCHED = 2;

  private TreeCells() {}

  static byte[] treeRow(int treeId) {
    return new byte[] {(byte) (treeId >> 8), (byte) treeId};
  }

  static int treeId(byte[] row) {
    return Byte.toUnsignedInt(row[0]) << 8 | Byte.toUnsignedInt(row[1]);
  }

  static byte[] branchRow(int treeId, List<String> path) {
    ByteBuffer row = ByteBuffer.allocate(TREE_ID_BYTES + HASH_BYTES * (path.size() - 1));
    row.put(treeRow(treeId));
    path.stream().skip(1).forEach(name -> row.putInt(name.hashCode()));
    return row.array();
  }

  static boolean isBranchRow(byte[] row) {
    return row.length >= TREE_ID_BYTES && (row.length - TREE_ID_BYTES) % HASH_BYTES == 0;
  }

  static byte[] rule(int level, int order) {
    return join(RULE_PREFIX, bytes(level + ":" + order));
  }

  static byte[] leaf(String displayName) {
    return join(
        LEAF_PREFIX, ByteBuffer.allocate(HASH_BYTES).putInt(displayName.hashCode()).array());
  }

  static byte[] collisionsRow(int treeId) {
    return join(treeRow(treeId), new byte[] {COLLISIONS});
  }

  static byte[] notMatchedRow(int treeId) {
    return join(treeRow(treeId), new byte[] {NOT_MATCHED});
  }

  static byte[] collision(String tsuid) {
    return join(COLLISION_PREFIX, UidText.parse(tsuid));
  }

  static byte[] notMatched(String tsuid) {
    return join(NOT_MATCHED_PREFIX, UidText.parse(tsuid));
  }

  /** The TSUID in the qualifier of a collision or a series that was not matched; else empty. */
  static String tsuid(byte[] qualifier) {
    int prefix =
        startsWith(qualifier, COLLISION_PREFIX)
            ? COLLISION_PREFIX.length
            : startsWith(qualifier, NOT_MATCHED_PREFIX) ? NOT_MATCHED_PREFIX.length : -1;
    return prefix < 0
        ? ""
        : HexFormat.of().withUpperCase().formatHex(qualifier, prefix, qualifier.length);
  }

  /** Whether a cell belongs to the tree's definition, not to its branches. */
  static boolean isDefinition(byte[] qualifier) {
    return Arrays.equals(qualifier, TREE) || startsWith(qualifier, RULE_PREFIX);
  }

  static boolean startsWith(byte[] bytes, byte[] prefix) {
    return bytes.length >= prefix.length
        && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }

  static String text(byte[] value) {
    return new String(value, ISO_8859_1);
  }

  static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }
}
