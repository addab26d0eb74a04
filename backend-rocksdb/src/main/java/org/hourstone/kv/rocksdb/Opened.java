package org.hourstone.kv.rocksdb;

import org.jspecify.annotations.Nullable;

/**
 * A database from its opening to its end, and what works on it. A store has several of these one
 * after the other if it is opened again after a failure.
 */
final class Opened {
  private final Database database;
  private final Scope scope;
  private final RowReader reader;
  private final RowWriter writer;
  private final FileMerge merge;
  private final @Nullable OwnFiles files;

  /**
   * @param files null if it is opened only for reading
   */
  Opened(Database database, WriteClock clock, String name, @Nullable OwnFiles files) {
    this.database = database;
    this.scope = new Scope(name);
    this.reader = new RowReader(database);
    this.writer = new RowWriter(database, reader, clock);
    this.merge = new FileMerge(database);
    this.files = files;
  }

  Database database() {
    return database;
  }

  Scope scope() {
    return scope;
  }

  RowReader reader() {
    return reader;
  }

  RowWriter writer() {
    return writer;
  }

  FileMerge merge() {
    return merge;
  }

  /** Null if it is opened only for reading. */
  @Nullable OwnFiles files() {
    return files;
  }

  /** Frees everything, unless it is abandoned; no call may be in progress. */
  void end(End end) {
    if (end == End.ABANDONED) {
      database.abandon();
      return;
    }
    reader.close();
    merge.close();
    if (end == End.FLUSHED) {
      database.close();
    } else {
      database.closeUnflushed();
    }
  }

  /** What becomes of the database. */
  enum End {
    /** Everything is in table files. */
    FLUSHED,
    /** The latest changes are only in the log. */
    UNFLUSHED,
    /** It stays open, but unused, until the process ends: closing it would write files. */
    ABANDONED
  }
}
