package org.hourstone.kv;

/** What {@link KeyValueStore#ensure} does about a family that is missing. */
public enum SchemaMode {
  /** Fails with {@link StoreException.Outcome#REJECTED}, naming every missing family. */
  VERIFY,
  /** Creates it. */
  CREATE
}
