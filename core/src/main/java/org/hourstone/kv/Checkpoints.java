package org.hourstone.kv;

import java.nio.file.Path;

/** Extension: a consistent copy of the whole store, made while it is in use. */
public interface Checkpoints {
  /**
   * Writes a copy that can be opened like the store itself.
   *
   * @param target a directory that does not exist yet
   * @throws StoreException REJECTED if it exists
   */
  void create(Path target);
}
