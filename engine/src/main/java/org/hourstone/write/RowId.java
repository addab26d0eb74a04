package org.hourstone.write;

import java.util.Arrays;
import org.hourstone.kv.Family;
import org.jspecify.annotations.Nullable;

/** A row of a family as a map key, its hash computed once. Immutable. */
final class RowId {
  private final Family family;
  private final byte[] key;
  private final int hash;

  /**
   * @param key not copied
   */
  RowId(Family family, byte[] key) {
    this.family = family;
    this.key = key;
    this.hash = Arrays.hashCode(key);
  }

  Family family() {
    return family;
  }

  byte[] key() {
    return key;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RowId row
        && hash == row.hash
        && Arrays.equals(key, row.key)
        && family.equals(row.family);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
