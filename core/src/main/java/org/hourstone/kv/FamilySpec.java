package org.hourstone.kv;

/**
 * A family the engine needs; an argument of {@link KeyValueStore#ensure}.
 *
 * @param family its name
 * @param singleVersion whether a store that can keep old versions of a cell must be configured to
 *     keep only the newest (OpenTSDB's data table); other stores ignore it
 */
public record FamilySpec(Family family, boolean singleVersion) {}
