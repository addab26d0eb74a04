package org.hourstone.internal;

/** How the digits of doubles are chosen; the layout is always that of {@link Double#toString}. */
public enum DecimalForm {
  /** The digits of {@link Double#toString}, which depend on the Java version. */
  JAVA {
    @Override
    void write(double value, JsonBuffer to) {
      to.number(value);
    }
  },

  /** As few digits as possible. */
  SHORTEST {
    @Override
    void write(double value, JsonBuffer to) {
      to.shortest(value);
    }
  };

  abstract void write(double value, JsonBuffer to);
}
