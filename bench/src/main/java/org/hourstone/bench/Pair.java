package org.hourstone.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** What something costs VictoriaMetrics, and what it costs us, in one run. */
record Pair<T>(T peer, T ours) {
  double ratio(ToDoubleFunction<T> figure) {
    return figure.applyAsDouble(ours) / figure.applyAsDouble(peer);
  }

  /** Three cells of a table: the peer's figures, ours, and the ratios within a run. */
  static <T> String cells(List<Pair<T>> pairs, ToDoubleFunction<T> figure, int digits) {
    return String.join(
        " | ",
        Spread.of(pairs, pair -> figure.applyAsDouble(pair.peer)).text(digits),
        Spread.of(pairs, pair -> figure.applyAsDouble(pair.ours)).text(digits),
        Spread.of(pairs, pair -> pair.ratio(figure)).text(2));
  }
}
