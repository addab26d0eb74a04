package org.hourstone.query;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The series of a result, one after the other. For one thread at a time; closing is required. */
public interface SeriesCursor extends AutoCloseable {
  /** The next series, or null after the last one. */
  @Nullable ResultSeries next();

  /** The rows and cells that the query skipped because they could not be decoded. */
  Corruption corruption();

  /** The resources the query has used so far. */
  RunningQuery use();

  /**
   * Cancels the query, with all others of its request, at the next check by one of their threads,
   * without waiting; the reader gets a {@link QueryCancelledException}. May be called by any
   * thread.
   *
   * @param reason is reported to the reader
   */
  void cancel(String reason);

  /** Ends the query. May be called by another thread than the reader's, and repeatedly. */
  @Override
  void close();

  /** Calls back for every series that is left. */
  default void forEach(Consumer<ResultSeries> consumer) {
    for (ResultSeries series = next(); series != null; series = next()) {
      consumer.accept(series);
    }
  }
}
