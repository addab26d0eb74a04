package org.hourstone.kv;

/** The action of {@link KeyValueStore#ensure} for a missing family. */
public enum SchemaMode {
  /** Fails with {@link StoreException.Outcome#REJECTED}, naming every missing family. */
  VERIFY,
  /** Creates it. */
  CREATE
}
