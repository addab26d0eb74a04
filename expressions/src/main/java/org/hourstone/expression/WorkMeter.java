package org.hourstone.expression;

import org.hourstone.query.RequestBudget;

/** Reports the work of an evaluation; every report throws if the request may not continue. */
interface WorkMeter {
  /** Values are returned by a query, computed by a formula, or repeated in an output. */
  void values(long more);

  /** Memory is taken until the response is written. */
  void hold(long bytes);

  /** Is called about every thousand values. */
  void check();

  static WorkMeter within(RequestBudget budget) {
    return new WorkMeter() {
      @Override
      public void values(long more) {
        budget.values(more);
      }

      @Override
      public void hold(long bytes) {
        budget.memory().grow(bytes);
      }

      @Override
      public void check() {
        budget.check();
      }
    };
  }
}
