package org.hourstone.bench;

import java.io.IOException;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;

/**
 * The place of one database, which may be opened repeatedly, and the same cells by the calls of the
 * library below our store. Its data is deleted when it is closed.
 */
interface Place extends AutoCloseable {
  /** The family of points. */
  Family POINTS = TsdbOptions.defaults().tables().points();

  /** Opens the database. */
  Tsdb open(TsdbOptions options);

  /** Opens our store, alone. */
  KeyValueStore store();

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
   * @param whole whether a batch is prepared before, not cell by cell as it is written
   */
  Writing writing(List<List<RowMutation>> batches, boolean whole) throws Exception;

  /** Cells that are ready to be written. */
  interface Writing extends AutoCloseable {
    /** Returns when everything is acknowledged. */
    void run() throws Exception;

    /** Leaves it as a database does that is closed. */
    @Override
    default void close() throws IOException {}
  }

  /** Merges the files of points, as they become in the long run. The database is closed. */
  void settle() throws Exception;

  /** The bytes of the files of points. The database is closed. */
  long bytes() throws Exception;

  /** The number of records in the files of points. The database is closed. */
  long records() throws Exception;

  @Override
  void close() throws IOException;
}
