package org.hourstone.kv;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** Extension: backups of the whole store, each a generation, made while the store is in use. */
public interface Backups {
  /**
   * A backup that is complete.
   *
   * @param generation its number in its directory, ascending; at least 1
   * @param files how many it has
   * @param copied the number of bytes that were copied
   * @param linked the number of bytes in files that it shares with the generation before it
   */
  record Backup(long generation, int files, long copied, long linked) {}

  /**
   * Makes a backup of the store as it is at one moment of the call. If that fails, earlier
   * generations stay as they are.
   *
   * @param directory of the store's backups; created if it does not exist
   * @param keep how many generations are left, the newest ones, once this one is complete; 0 for
   *     all
   * @throws StoreException REJECTED if the directory has something else than backups of this store,
   *     NOT_APPLIED if it can't be written to, or another backup into it is in progress
   */
  Backup create(Path directory, int keep);

  /**
   * When the newest backup was made, of those in a directory and in the directories directly in it;
   * empty if no backup can be read.
   */
  Optional<Instant> latest(Path directory);
}
