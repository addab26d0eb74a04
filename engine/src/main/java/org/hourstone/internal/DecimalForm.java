package org.hourstone.internal;

/** How the digits of doubles are chosen; the layout is that of {@link Double#toString} always. */
public enum DecimalForm {
  /** Those of {@link Double#toString}, which depend on the version of Java. */
  JAVA {
    @Override
    void write(double value, JsonBuffer to) {
      to.number(value);
    }
  },

  /** As few as possible. */
  SHORTEST {
    @Override
    void write(double value, JsonBuffer to) {
      to.shortest(value);
    }
  };

  abstract void write(double value, JsonBuffer to);
}
