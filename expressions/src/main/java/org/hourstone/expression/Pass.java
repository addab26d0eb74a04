package org.hourstone.expression;

import java.util.IdentityHashMap;

/** One pass over timestamps: values that several formulas use are computed once. */
final class Pass {
  private final IdentityHashMap<Source, Values> open = new IdentityHashMap<>();

  Values values(Source source) {
    Values values = open.get(source);
    if (values == null) {
      values = source.open(this);
      open.put(source, values);
    }
    return values;
  }
}
