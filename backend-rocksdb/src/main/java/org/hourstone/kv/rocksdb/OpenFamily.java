package org.hourstone.kv.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.hourstone.kv.Family;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;

/**
 * A family of an open database.
 *
 * @param coding how its cells are coded; null if they are not
 */
record OpenFamily(ColumnFamilyHandle handle, @Nullable Coding coding) {
  /**
   * RocksDB's name of a family. Since it never changes, it records the codec of the family's cells:
   *
   * <pre>
   *   table:family           not coded
   *   table:family:codec:    coded; a name of the first form does not end with a colon
   * </pre>
   *
   * @param codec the codec's name; null if cells are not coded
   */
  record Name(Family family, @Nullable String codec) {
    /** The name encoded in these bytes; null if {@link #bytes} did not produce them. */
    static @Nullable Name of(byte[] bytes) {
      String name = new String(bytes, UTF_8);
      String codec = null;
      if (name.endsWith(":")) {
        int end = name.length() - 1;
        int start = name.lastIndexOf(':', end - 1);
        if (start < 0 || start == end - 1) {
          return null;
        }
        codec = name.substring(start + 1, end);
        name = name.substring(0, start);
      }
      int colon = name.lastIndexOf(':');
      if (colon < 1 || colon == name.length() - 1) {
        return null;
      }
      return new Name(new Family(name.substring(0, colon), name.substring(colon + 1)), codec);
    }

    byte[] bytes() {
      return (codec == null ? family.toString() : family + ":" + codec + ":").getBytes(UTF_8);
    }

    /** Whether the name can be decoded from its bytes; false if it is not valid Unicode. */
    boolean isValid() {
      return equals(of(bytes()));
    }
  }
}
