package org.hourstone.kv;

import org.jspecify.annotations.Nullable;

/**
 * A family the engine needs; an argument of {@link KeyValueStore#ensure}.
 *
 * @param family its name
 * @param singleVersion whether a store that can keep old versions of a cell must be configured to
 *     keep only the newest (OpenTSDB's data table); other stores ignore it
 * @param codec a coding in which a store may keep cells, if it creates the family; null for none. A
 *     store may ignore it; callers of the SPI see the same bytes
 */
public record FamilySpec(Family family, boolean singleVersion, @Nullable FamilyCodec codec) {
  /** A family whose cells are not coded. */
  public FamilySpec(Family family, boolean singleVersion) {
    this(family, singleVersion, null);
  }
}
