package org.hourstone.bench;

import java.io.IOException;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;
import org.jspecify.annotations.Nullable;

/**
 * Where one database is, which may be opened again and again, and the same cells without it: by the
 * calls of what is beneath our store. Its data is deleted when it is closed.
 */
interface Place extends AutoCloseable {
  /** The family of points. */
  Family POINTS = TsdbOptions.defaults().tables().points();

  /** How cells are written without our store. */
  enum Way {
    /** Cell by cell. */
    PUTS,
    /** Batches that are made before, or a row at a time. */
    BATCHES,
    /** By HBase's {@code BufferedMutator}. */
    MUTATOR
  }

  /** Opens the database. */
  Tsdb open(TsdbOptions options);

  /** Opens our store, alone. */
  KeyValueStore store();

  /** Which of the ways there are. */
  List<Way> ways();

  /**
   * These batches, which were written here, with the values that the store keeps for them.
   *
   * @throws IOException if they cannot be read
   */
  default List<List<RowMutation>> stored(List<List<RowMutation>> batches) throws Exception {
    return batches;
  }

  /**
   * Prepares to write cells here, where nothing is yet, without our store.
   *
   * @param batches as {@link #stored}
   */
  Writing writing(List<List<RowMutation>> batches, Way way) throws Exception;

  /** What is about to be written. */
  interface Writing extends AutoCloseable {
    /** Returns when everything is acknowledged. */
    void run() throws Exception;

    /** Leaves it as a database does that is closed. */
    @Override
    default void close() throws IOException {}
  }

  /** Opens what is here for scans without our store; the database may be open, too. */
  RawScan rawScan() throws Exception;

  /** Reads cells and drops them. */
  interface RawScan extends AutoCloseable {
    /**
     * Returns the number of records of the rows from {@code start} on and before {@code stop}.
     *
     * @param stop null for all rows
     */
    long records(byte[] start, byte @Nullable [] stop) throws Exception;

    @Override
    default void close() throws IOException {}
  }

  /** Merges the files of points, as they become in the long run. The database is closed. */
  default void settle() throws Exception {}

  /** The bytes of the files of points; 0 if there are none. The database is closed. */
  default long bytes() throws Exception {
    return 0;
  }

  @Override
  void close() throws IOException;
}
