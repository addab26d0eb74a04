package org.hourstone.kv;

/**
 * A family the engine needs, as {@link KeyValueStore#ensure} is told of it.
 *
 * @param family which one
 * @param singleVersion whether a store that can keep old versions of a cell must be told to keep
 *     only the newest (OpenTSDB's data table); stores that never keep any ignore it
 */
public record FamilySpec(Family family, boolean singleVersion) {}
