package org.hourstone.kv;

/** Extension: tells a store from others of its kind, also if it has no tables yet. Thread-safe. */
public interface StoreIdentity {
  /**
   * A text that no other store has but a copy of this one. It never changes.
   *
   * @throws StoreException if it can't be read now
   */
  String identity();
}
