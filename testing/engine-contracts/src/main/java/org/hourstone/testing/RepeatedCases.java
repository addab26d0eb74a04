package org.hourstone.testing;

/** A contract with random cases or many repetitions, which would take long on a slow store. */
public interface RepeatedCases {
  /**
   * The share of them that is played, above 0 and up to 1: less on a slow store, and on a variant
   * of a store that plays all of them.
   */
  default double share() {
    return 1;
  }

  /**
   * The number of cases of this store, at least 1.
   *
   * @param all the number of a store whose share is 1
   */
  default int scaled(int all) {
    return Math.max(1, (int) Math.round(all * share()));
  }
}
