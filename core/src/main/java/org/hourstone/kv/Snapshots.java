package org.hourstone.kv;

/** Extension: reading a store as of one moment. */
public interface Snapshots {
  /** A view of the store as it is now. The caller must close it. */
  ReadView open();
}
