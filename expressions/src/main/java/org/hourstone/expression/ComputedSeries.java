package org.hourstone.expression;

import java.util.Iterator;
import java.util.List;
import org.hourstone.query.Corruption;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.RunningQuery;
import org.hourstone.query.SeriesCursor;
import org.jspecify.annotations.Nullable;

/** A result that is already complete. */
final class ComputedSeries implements SeriesCursor {
  private final Iterator<ResultSeries> series;
  private final Corruption corruption;
  private final RequestBudget budget;
  private final Runnable onClose;

  /**
   * @param onClose may be called again
   */
  ComputedSeries(
      List<ResultSeries> series, Corruption corruption, RequestBudget budget, Runnable onClose) {
    this.series = series.iterator();
    this.corruption = corruption;
    this.budget = budget;
    this.onClose = onClose;
  }

  @Override
  public @Nullable ResultSeries next() {
    return series.hasNext() ? series.next() : null;
  }

  @Override
  public Corruption corruption() {
    return corruption;
  }

  @Override
  public RunningQuery use() {
    return budget.use();
  }

  @Override
  public void cancel(String reason) {
    // It is all there.
  }

  @Override
  public void close() {
    onClose.run();
  }
}
