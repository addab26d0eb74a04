package org.hourstone.query;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The series of an answer, one after the other. For one thread at a time; closing is required. */
public interface SeriesCursor extends AutoCloseable {
  /** The next series, or null after the last one. */
  @Nullable ResultSeries next();

  /** What the query has passed over because it could not be understood. */
  Corruption damage();

  /** What the query has used so far. */
  RunningQuery use();

  /**
   * Has the query end as soon as one of its threads looks, without waiting for it; its reader gets
   * a {@link QueryCancelledException}. May be called by any thread.
   *
   * @param reason is told to the reader
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
