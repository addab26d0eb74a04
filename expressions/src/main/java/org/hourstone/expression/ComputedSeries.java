package org.hourstone.expression;

import java.util.Iterator;
import java.util.List;
import org.hourstone.query.Corruption;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.RunningQuery;
import org.hourstone.query.SeriesCursor;
import org.jspecify.annotations.Nullable;

/** A result that is already complete. */
final class ComputedSeries implements SeriesCursor {
  private final Iterator<ResultSeries> series;
  private final Corruption damage;
  private final RunningQuery used;

  ComputedSeries(List<ResultSeries> series, Corruption damage, RunningQuery used) {
    this.series = series.iterator();
    this.damage = damage;
    this.used = used;
  }

  @Override
  public @Nullable ResultSeries next() {
    return series.hasNext() ? series.next() : null;
  }

  @Override
  public Corruption damage() {
    return damage;
  }

  @Override
  public RunningQuery use() {
    return used;
  }

  @Override
  public void cancel(String reason) {
    // It is all there.
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
