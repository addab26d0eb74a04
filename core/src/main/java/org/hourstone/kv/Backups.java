package org.hourstone.kv;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
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
   * @param others the names of what else the directory had, which was left alone: what is not a
   *     backup, or one that is corrupt
   */
  record Backup(long generation, int files, long copied, long linked, List<String> others) {}

  /** Watches a backup that is being made, and may end it. */
  interface Watch {
    /**
     * How much has been read, to be copied or compared with the generation before.
     *
     * @param bytes so far
     * @param all that the store has
     */
    void progress(long bytes, long all);

    /** Whether the backup is to end soon. */
    boolean isCancelled();

    /** One that waits for the end. */
    static Watch none() {
      return new Watch() {
        @Override
        public void progress(long bytes, long all) {}

        @Override
        public boolean isCancelled() {
          return false;
        }
      };
    }
  }

  /**
   * Makes a backup of the store as it is at one moment of the call. If that fails, earlier
   * generations stay as they are.
   *
   * @param directory of the store's backups; created if it does not exist
   * @param keep how many generations are left, the newest ones, once this one is complete; 0 for
   *     all. Only what is certainly a generation is counted and removed
   * @param reserve how many bytes of the store's disk are to stay free
   * @throws StoreException REJECTED if the directory has the backups of another store, NOT_APPLIED
   *     if it can't be written to, its disk has no room for this one, another backup into it is in
   *     progress, or this one was cancelled
   */
  Backup create(Path directory, int keep, long reserve, Watch watch);

  /** As {@link #create(Path, int, long, Watch)}, without a reserve. */
  default Backup create(Path directory, int keep, Watch watch) {
    return create(directory, keep, 0, watch);
  }

  /** As {@link #create(Path, int, Watch)}, unwatched. */
  default Backup create(Path directory, int keep) {
    return create(directory, keep, Watch.none());
  }

  /**
   * When the newest backup was made, of those in a directory and in the directories directly in it;
   * empty if no backup can be read.
   */
  Optional<Instant> latest(Path directory);
}
