package org.hourstone.mirror;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Which store the points of a queue are of, in a file beside them: under the UIDs of another they
 * would get other names. Points that earlier processes have left are compared with it. A store may
 * be unable to say which one it is when the queue is opened; then that is compared later, and until
 * then such points are not sent. For one thread at a time.
 */
final class QueueStore {
  private final Path file;

  /** Whether there are points that an earlier process has left. */
  private final boolean hasUnsent;

  private volatile boolean isKnown;

  private QueueStore(Path file, boolean hasUnsent) {
    this.file = file;
    this.hasUnsent = hasUnsent;
  }

  /**
   * The store of a queue which is being opened.
   *
   * @param store the identity of the store; empty if it has none, null if it can't say that now
   * @param hasUnsent whether the queue has points that were not sent
   * @throws IOException if these are of another store, or the file can't be read or written
   */
  static QueueStore open(Path file, @Nullable String store, boolean hasUnsent) throws IOException {
    QueueStore of = new QueueStore(file, hasUnsent);
    if (store != null) {
      of.compare(store);
    } else if (!hasUnsent) {
      Files.deleteIfExists(file); // so that what is queued from now on is not taken for another's
    }
    return of;
  }

  /** Whether the store has said which one it is. */
  boolean isKnown() {
    return isKnown;
  }

  /** Whether points may be sent: those that are left may be of another store. */
  boolean mayBeSent() throws IOException {
    return isKnown || !hasUnsent || recorded().isEmpty();
  }

  /**
   * The store has said which one it is.
   *
   * @param store its identity; empty if it has none
   * @throws IOException if there are points of another store, or the file can't be read or written
   */
  void compare(String store) throws IOException {
    String recorded = recorded();
    if (!recorded.equals(store)) {
      if (hasUnsent && !recorded.isEmpty()) {
        throw new IOException(
            "it has unsent points of another store; let that send them, or delete the directory");
      }
      if (hasUnsent) {
        MirrorQueue.LOG.log(
            Level.WARNING,
            "mirror: "
                + file.getParent()
                + " does not say of which store its points are: they are sent as this one's");
      }
      record(store);
    }
    isKnown = true;
  }

  /** Empty if no store was known by its identity. */
  private String recorded() throws IOException {
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private void record(String store) throws IOException {
    if (store.isEmpty()) {
      Files.deleteIfExists(file);
      return;
    }
    Path written = file.resolveSibling("store.new");
    Files.writeString(
        written,
        store,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE,
        StandardOpenOption.SYNC);
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
